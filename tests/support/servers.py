"""A scripted server that speaks OpenAI's API over a real socket, with the faults of real ones."""

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Reply(Exception):
    """An answer other than 200, or None for a connection that breaks off."""

    def __init__(self, status, message="", headers=None):
        self.status = status
        self.message = message
        self.headers = headers or {}


class Scripted(ThreadingHTTPServer):
    """Answers every POST with `answer(body)`, and keeps what was asked."""

    daemon_threads = False  # closing waits for the answers that are under way

    def __init__(self, answer):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answer = answer
        self.asked = []
        self.lock = threading.Lock()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}/v1"


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with self.server.lock:
            self.server.asked.append({"path": self.path, **body})
        try:
            status, answer, headers = 200, self.server.answer(body), {}
        except Reply as reply:
            if reply.status is None:
                self.connection.close()
                return
            status, headers = reply.status, reply.headers
            answer = {"error": {"message": reply.message, "type": "scripted"}}
        data = json.dumps(answer).encode()
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", **headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


@contextmanager
def serving(answer):
    """Serve `answer` on the loopback interface for the length of a block."""
    server = Scripted(answer)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()


def chat_reply(texts, **more):
    """Return a chat completion with these choices; a dict is a whole message."""
    choices = [
        {
            "index": index,
            "finish_reason": "stop",
            "message": text if isinstance(text, dict) else {"role": "assistant", "content": text},
        }
        for index, text in enumerate(texts)
    ]
    return {"object": "chat.completion", "choices": choices, **more}


def good(body):
    """Answer as a server does that can do everything: texts follow from seed and choice."""
    texts = [f"answer {body['seed']}-{index}" for index in range(body.get("n", 1))]
    return chat_reply(texts)
