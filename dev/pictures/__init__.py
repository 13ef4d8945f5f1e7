"""Pictures of the program without a display: scenes in every look, the documents' pictures, and checks of texts."""
