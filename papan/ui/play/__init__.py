"""The play at a table, without a picture of it: a match played, studied, looked through."""
