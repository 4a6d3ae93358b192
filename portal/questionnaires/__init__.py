"""The questionnaire desk: questionnaires with their responses, and answering them."""
