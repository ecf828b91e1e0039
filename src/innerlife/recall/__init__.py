"""What comes to mind: indexed text, the two arms, their fusion, salience and use."""
