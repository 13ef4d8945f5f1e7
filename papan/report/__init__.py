"""Results of a folder as one page: files are found, each is read as a section, and the sections are written as HTML.

A section (``sections``) is what a page says of one file, as data that knows nothing of HTML. ``kinds`` has the table of
readers: a new kind of result is one function there. ``page`` writes sections down.
"""
