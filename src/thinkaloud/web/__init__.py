"""The page and what is under it: a hub of sessions, an HTTP and WebSocket API, and a server that is safe by default.

hub.py       the sessions, and all that can be done with them; the API and the page call nothing else
messages.py  what goes over the wire: every shape, typed
api.py       the hub over HTTP and WebSocket
server.py    `thinkaloud serve`
"""
