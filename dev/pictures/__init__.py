"""Pictures of the program without a person: scenes in every look, the documents' pictures, and what is wrong there."""
