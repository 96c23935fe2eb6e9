"""A proxy that notes every request before it goes on to a real server."""

import json
import urllib.error
import urllib.request

from servers import Reply, serving


def noting(url):
    """Serve what the server at `url` answers; `server.asked` holds the requests."""

    def forward(body):
        path = "/chat/completions" if "messages" in body else "/completions"
        request = urllib.request.Request(
            url + path, json.dumps(body).encode(), {"Content-Type": "application/json"}
        )
        try:
            with urllib.request.urlopen(request, timeout=120) as reply:
                return json.load(reply)
        except urllib.error.HTTPError as error:
            raise Reply(error.code, json.load(error)["error"]["message"]) from None

    return serving(forward)
