"""Reports: the results in a folder as one HTML page.

``kinds`` finds the files and has the reader of each kind of result (a new kind is one function there),
``sections`` is the content of a page as data without HTML, and ``page`` writes it as HTML.
"""
