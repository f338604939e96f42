"""Records what langchain-core does with generated lists: python langchain-generated.py SEED LINES > vectors/langchain-generated.jsonl

Needs langchain-core 1.6.5 (Python 3.11). Whole floats stand in arguments of calls only, where their spelling is kept.
"""

import json
import random
import re
import sys

from langchain_core.messages import convert_to_messages, trim_messages
from langchain_core.messages.utils import count_tokens_approximately

LETTERS = [
    *"abc  \n\n'\"\\\t", "é", "你", "👋", "\u200b", "\u00a0", "\x07", "word ", "line\n", "\u3000", "\ue000", "\ufeff",
]  # fmt: skip
NUMBERS = [0, 1, -5, 12345678901234567890, -0.0, 1.0, 1e16, 1e15, 1.5e-7, 0.0001, 1e100, 3.14, -1e-10, 1e22]
TYPES = [None, None, "human", "ai", "system", "tool", ["human", "tool"], ["human", "ai"]]
WORDS = re.compile(r"\S+\s*|\s+")


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def below(self, limit):
        return self.random.randrange(limit)

    def text(self, limit=60):
        return "".join(self.random.choice(LETTERS) for _ in range(self.below(limit)))

    def json(self, numbers, depth=0):
        kind = self.below(8 if depth < 3 else 6)
        if kind == 0:
            return self.random.choice(numbers)
        if kind == 1:
            return self.random.choice([True, False, None])
        if kind < 6:
            return self.text(12)
        if kind == 6:
            return [self.json(numbers, depth + 1) for _ in range(self.below(4))]
        return {self.text(6): self.json(numbers, depth + 1) for _ in range(self.below(4))}

    def part(self):
        kind = self.below(8)
        if kind < 4:
            return {"type": "text", "text": self.text()}
        if kind == 4:
            return {"type": "image_url", "image_url": {"url": "https://x"}}
        if kind == 5:
            data = "data:application/pdf;base64," + "A" * self.below(200)
            return {"type": "file", "file": {"filename": "a.pdf", "file_data": data}}
        return {"type": "custom" if kind == 6 else "image", "x": self.json([0, -5, 3.14, 1.5e-7])}

    def message(self, index):
        role = self.random.choice(["user", "user", "assistant", "tool", "system", "developer"])
        is_list = self.random.random() < 0.3
        content = [self.part() for _ in range(self.below(5))] if is_list else self.text(120)
        message = {"role": role, "content": content, "id": str(index)}
        if role == "assistant" and self.below(2):
            message["tool_calls"] = [self.call(f"c{index}{number}") for number in range(1 + self.below(2))]
        if role == "tool":
            message["tool_call_id"] = f"c{self.below(10)}{self.below(2)}"
        if self.below(10) == 0:
            message["name"] = self.random.choice(["me", "é'x"])
        return message

    def call(self, id):
        arguments = {self.text(5): self.json(NUMBERS) for _ in range(self.below(3))}
        written = json.dumps(arguments, ensure_ascii=self.below(2) == 0)
        return {"id": id, "type": "function", "function": {"name": self.random.choice(["f", "g'h"]), "arguments": written}}

    def options(self, total_tokens):
        options = {
            "max_tokens": self.below(total_tokens + 20) - 5,
            "strategy": self.random.choice(["last", "last", "first"]),
            "allow_partial": self.random.random() < 0.6,
            "text_splitter": self.random.choice(["lines", "words"]),
        }
        end_on, start_on = self.random.choice(TYPES), self.random.choice(TYPES)
        if end_on:
            options["end_on"] = end_on
        if options["strategy"] == "last":
            options["include_system"] = self.below(2) == 0
            if start_on:
                options["start_on"] = start_on
        return options


def vector(generator, number):
    given = [generator.message(index) for index in range(generator.below(10))]
    counter = generator.random.choice(["len", "approximate", "approximate"])
    count = len if counter == "len" else count_tokens_approximately
    options = generator.options(count(given))
    split = WORDS.findall if options["text_splitter"] == "words" else None
    known = {name: value for name, value in options.items() if name != "text_splitter"}
    messages = convert_to_messages(given)
    result = trim_messages(messages, token_counter=count, text_splitter=split, **known)
    kept = []
    for message in result:
        index = int(message.id)
        is_cut = message.content != messages[index].content
        kept.append({"index": index, **({"content": message.content} if is_cut else {})})
    expected = {
        "error": None,
        "kept": kept,
        "tokens": count(result),
        "message_tokens": [count([message]) for message in messages],
        "total_tokens": count(messages),
    }
    return {
        "id": f"generated-{number}",
        "input": {"counter": counter, "messages": given, "options": options},
        "expected": expected,
    }


if __name__ == "__main__":
    generator = Generator(int(sys.argv[1]))
    for number in range(int(sys.argv[2])):
        print(json.dumps(vector(generator, number)))
