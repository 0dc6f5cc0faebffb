"""A client of the sync protocol, written from docs/sync.md alone, with the standard library.

It keeps the outline and its pending entries in a JSON file:

    python3 sync_client.py <file> <address> <key> <command> [<argument> ...]

The commands are `create <name>`, `rename <name> <name>`, `delete <name>`, `close <conflict>`, `image`, `sync`, `lose`
(send a push, and die before its answer is read) and `show`. Each prints its result as JSON.
"""

import base64
import gzip
import json
import os
import sys
import time
import urllib.error
import urllib.request
import uuid


def digest_of(before, lines):
    first, second = 0x811C9DC5, 0x9DC5811C
    for byte in "\n".join([before, *lines]).encode():
        first = (first ^ byte) * 0x01000193 & 0xFFFFFFFF
        second = (second ^ byte) * 0x01000193 & 0xFFFFFFFF
    return f"{first:08x}{second:08x}"


class Client:
    def __init__(self, path, address, key):
        self.path, self.address, self.key = path, address, key
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                self.state = json.load(file)
        else:
            self.state = {
                "device": str(uuid.uuid4()),
                "outline": None,
                "since": 0,
                "mark": None,
                "last": 0,
                "digest": "",
                "seq": 0,
                "entries": [],
                "nodes": {},
                "keys": {},
                "conflicts": {},
                "refused": [],
            }

    def save(self):
        with open(self.path + ".new", "w", encoding="utf-8") as file:
            json.dump(self.state, file)
        os.replace(self.path + ".new", self.path)

    # The outline of the device: that of the server, and the pending entries.

    def view(self):
        nodes = {id: dict(node) for id, node in self.state["nodes"].items()}
        for entry in self.state["entries"]:
            for change in (change for line in entry["lines"] for change in json.loads(line).get("nodes", [])):
                if change["after"] is None:
                    nodes.pop(change["id"], None)
                elif change["before"] is None or change["id"] in nodes:
                    nodes.setdefault(change["id"], {"id": change["id"]}).update(change["after"])
        return nodes

    def find(self, name):
        return next(node for node in self.view().values() if node["name"] == name)

    def commit(self, **delta):
        self.state["seq"] += 1
        line = json.dumps({"seq": self.state["seq"], "at": int(time.time()), "nodes": [], **delta})
        entries = self.state["entries"]
        before = entries[-1]["digest"] if entries else self.state["digest"]
        entries.append({"seq": self.state["seq"], "lines": [line], "digest": digest_of(before, [line])})
        self.save()

    def create(self, name):
        nodes = [node for node in self.view().values() if node["parentId"] is None]
        last = max(nodes, key=lambda node: node["priority"], default=None)
        id = str(uuid.uuid4())
        fields = {
            "parentId": None,
            "priority": 0 if last is None else last["priority"] + 1048576,
            "name": name,
            "createdAt": int(time.time()),
        }
        above = None if last is None else last["id"]
        self.commit(nodes=[{"id": id, "before": None, "after": fields, "above": above, "below": None}])
        return id

    def rename(self, name, new):
        node = self.find(name)
        rest = {field: value for field, value in node.items() if field not in ("id", "name")}
        self.commit(nodes=[{"id": node["id"], "before": {"name": name}, "after": {"name": new}, "rest": rest}])

    def delete(self, name):
        node = self.find(name)
        before = {field: value for field, value in node.items() if field != "id"}
        self.commit(nodes=[{"id": node["id"], "before": before, "after": None}])

    def close(self, conflict):
        self.commit(closed=[conflict])

    # The two requests.

    def open(self, path, body=None):
        headers = {"Authorization": f"Bearer {self.key}", "Accept-Encoding": "gzip"}
        if body is not None:
            headers.update({"Content-Type": "application/x-ndjson", "Content-Encoding": "gzip"})
            body = gzip.compress(body)
        request = urllib.request.Request(self.address + path, body, headers)
        response = urllib.request.urlopen(request, timeout=30)
        return gzip.GzipFile(fileobj=response) if response.headers["Content-Encoding"] == "gzip" else response

    def push(self, limit=2):
        header = {"protocol": 1, "limit": limit}
        header.update((name, self.state[name]) for name in ("outline", "device", "since", "last", "digest"))
        if self.state["mark"] is not None:
            header["mark"] = self.state["mark"]
        lines = [json.dumps(header)] + [line for entry in self.state["entries"] for line in entry["lines"]]
        with self.open("/sync", "\n".join(lines).encode()) as response:
            return json.load(response)

    def sync(self):
        while True:
            try:
                answer = self.push()
            except urllib.error.HTTPError as error:
                problem = json.load(error)
                if problem["code"] == "changes_expired":
                    self.image()
                elif problem["code"] == "sync_forked":
                    self.fork(problem["digests"])
                else:
                    return problem["code"]
                continue
            own = [(entry["seq"], entry["digest"]) for entry in self.state["entries"]]
            own.append((self.state["last"], self.state["digest"]))
            if (answer["last"], answer["digest"]) not in own:
                self.fork([[answer["last"], answer["digest"]]])
                continue
            self.take(answer)
            if not answer["more"] and not self.state["entries"]:
                return "done"

    def take(self, answer):
        state = self.state
        for node in answer["nodes"]:
            state["nodes"][node["id"]] = node
        for id in answer["deleted"]:
            state["nodes"].pop(id, None)
        for key in answer["keys"]:
            state["keys"][key["key"]] = key["nodeId"]
        for key in answer["droppedKeys"]:
            state["keys"].pop(key, None)
        for conflict in answer["conflicts"]:
            state["conflicts"][conflict["id"]] = conflict
        for id in answer["closed"]:
            state["conflicts"].pop(id, None)
        state["refused"] += answer["refused"]
        state.update((name, answer[name]) for name in ("outline", "last", "digest"))
        state["since"] = answer["revision"]
        state["mark"] = answer.get("mark", state["mark"])
        state["entries"] = [entry for entry in state["entries"] if entry["seq"] > answer["last"]]
        self.save()

    def fork(self, digests):
        """Draws a new id, and numbers the entries after the last common one again."""
        known = {tuple(mark) for mark in digests}
        entries = self.state["entries"]
        common = [index for index, entry in enumerate(entries) if (entry["seq"], entry["digest"]) in known]
        kept = entries[common[-1] + 1 :] if common else entries
        self.state.update(device=str(uuid.uuid4()), last=0, digest="", seq=0, entries=[])
        for entry in kept:
            (line,) = entry["lines"]
            delta = json.loads(line)
            del delta["seq"]
            self.commit(**delta)
        self.save()

    def image(self):
        nodes, keys, conflicts, ids = {}, {}, {}, []
        with self.open("/sync/image") as response:
            lines = [json.loads(line) for line in response.read().decode().split("\n")[:-1]]
        assert lines[-1] == {"end": True}
        for line in lines[1:-1]:
            if "ids" in line:
                for node in block(line, ids):
                    nodes[node["id"]] = node
            keys.update((key["key"], key["nodeId"]) for key in line.get("keys", []))
            conflicts.update((conflict["id"], conflict) for conflict in line.get("conflicts", []))
        assert lines[0]["nodes"] == len(nodes)
        self.state.update(nodes=nodes, keys=keys, conflicts=conflicts)
        self.state.update(since=lines[0]["revision"], outline=lines[0]["outline"], mark=lines[0].get("mark"))
        self.save()


def id_in(text):
    return str(uuid.UUID(bytes=base64.urlsafe_b64decode(text + "==")))


def block(columns, ids):
    """Returns the nodes of a block. `ids` has those of the nodes before it, and gets the new ones."""
    assert columns["first"] == len(ids)
    ids += [id_in(columns["ids"][at : at + 22]) for at in range(0, len(columns["ids"]), 22)]
    parent = priority = created = 0
    nodes = []
    for row, name in enumerate(columns["names"]):
        step, value = columns["parents"][row], columns["priorities"][row]
        parent += step
        priority = priority + value if row > 0 and step == 0 else value
        created += columns["created"][row]
        node = {
            "id": ids[columns["first"] + row],
            "parentId": None if parent < 0 else ids[parent],
            "priority": priority,
            "name": name,
            "createdAt": created,
        }
        row = str(row)
        for column, field in (("modified", "modifiedAt"), ("completed", "completedAt")):
            if row in columns.get(column, {}):
                node[field] = created + columns[column][row]
        for column, field in (("notes", "note"), ("layoutModes", "layoutMode"), ("properties", "properties")):
            if row in columns.get(column, {}):
                node[field] = columns[column][row]
        origin = columns.get("origins", {}).get(row)
        if origin is not None:
            node["originId"] = id_in(origin) if isinstance(origin, str) else ids[origin]
        nodes.append(node)
    return nodes


def main():
    path, address, key, command, *arguments = sys.argv[1:]
    client = Client(path, address, key)
    if command == "show":
        names = ("since", "last", "digest", "keys", "conflicts", "refused", "device")
        result = {**{name: client.state[name] for name in names}, "nodes": client.view()}
        result["pending"] = len(client.state["entries"])
    elif command == "lose":
        client.push()
        result = "lost"
    else:
        result = getattr(client, command)(*arguments)
    print(json.dumps(result))


main()
