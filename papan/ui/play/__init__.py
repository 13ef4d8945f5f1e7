"""What the scenes show, without drawing: sessions, analyses, reviews, practice, the library, statistics."""
