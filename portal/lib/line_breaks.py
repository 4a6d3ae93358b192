"""Line breaks as texts are stored. Browsers send each as two characters, whatever stood in the text."""


def unified(text: str) -> str:
    """Return a text whose lines end in one character each."""
    return text.replace("\r\n", "\n").replace("\r", "\n")
