"""Pictures of the program without a person: scenes in every look, the documents' pictures, and what is wrong there.

``measuring`` finds texts that are cut off, cross each other or leave the window; ``looks`` says in how many ways a
scene is looked at; ``boards`` and ``animation`` draw for the documents.
"""
