"use strict";
// Sorts tables by the column whose heading is pressed. Without it, the page is the same, unsorted.
(() => {
  const collator = new Intl.Collator(document.documentElement.lang, { numeric: true });

  function keyOf(row, column, isNumber) {
    const value = row.cells[column].dataset.value;
    return value === "" ? null : isNumber ? Number(value) : value;
  }

  function sort(table, heading, column) {
    const isNumber = heading.classList.contains("number");
    const known = heading.getAttribute("aria-sort");
    const first = isNumber ? "descending" : "ascending";
    const other = isNumber ? "ascending" : "descending";
    const order = known === first ? other : first;
    const sign = order === "ascending" ? 1 : -1;
    const body = table.tBodies[0];
    const rows = Array.from(body.rows, (row) => ({ row, key: keyOf(row, column, isNumber) }));
    rows.sort((one, two) => {
      if (one.key === null || two.key === null) return (one.key === null) - (two.key === null);
      if (one.key === two.key) return 0;
      return sign * (isNumber ? (one.key < two.key ? -1 : 1) : collator.compare(one.key, two.key));
    });
    body.append(...rows.map(({ row }) => row));
    for (const each of table.tHead.rows[0].cells) each.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", order);
  }

  for (const table of document.querySelectorAll("table")) {
    if (table.tBodies[0].rows.length < 2) continue;
    Array.from(table.tHead.rows[0].cells).forEach((heading, column) => {
      if (!heading.textContent.trim()) return;
      const button = document.createElement("button");
      button.type = "button";
      button.append(...heading.childNodes);
      button.addEventListener("click", () => sort(table, heading, column));
      heading.append(button);
    });
  }
})();
