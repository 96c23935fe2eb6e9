"""A page as a browser takes it apart, without a browser."""

import base64
import gzip
import json
from html.parser import HTMLParser


class Parsed(HTMLParser):
    """What a browser makes of a page: elements, and the texts of scripts and styles."""

    def __init__(self, html):
        super().__init__(convert_charrefs=True)
        self.elements, self.inside, self.text, self.raw = [], [], "", {}
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        self.text += " "
        if tag in ("script", "style"):
            self.inside.append(dict(attributes).get("id", tag))
            self.raw[self.inside[-1]] = ""

    def handle_endtag(self, tag):
        if tag in ("script", "style"):
            self.inside.pop()

    def handle_data(self, data):
        if self.inside:
            self.raw[self.inside[-1]] += data
        else:
            self.text += data

    @property
    def words(self):
        return " ".join(self.text.split())


def unpacked(text):
    return json.loads(gzip.decompress(base64.b64decode(text)))
