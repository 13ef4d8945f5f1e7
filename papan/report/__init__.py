"""Reports: the results in a folder as one HTML page.

``finding`` lists the files, ``kinds`` has the reader of each kind of result (a new kind is one function there),
``sections`` is the content of a page as data without HTML, and ``page`` writes it as HTML.
"""
