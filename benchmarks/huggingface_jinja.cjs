// Renders chat templates with @huggingface/jinja: one JSON line in, one out. Run by benchmarks/peers.py, which says in
// the first argument where the package lies.
"use strict";
const { createRequire } = require("node:module");
const { createInterface } = require("node:readline");

// Templates may write the date: the clock stands where it stands for all others.
const [clock, folder] = [process.argv[2], process.argv[3]];
const RealDate = Date;
globalThis.Date = class extends RealDate {
  constructor(...parts) {
    super(...(parts.length ? parts : [clock]));
  }
};

const { Template } = createRequire(folder)("@huggingface/jinja");
let source, template;

function answer({ text, chats, repeat }) {
  if (text !== source) {
    template = new Template(text);
    source = text;
  }
  let result = "";
  const start = process.cpuUsage();
  for (let round = 0; round < repeat; round++) {
    for (const chat of chats) result = template.render(chat);
  }
  const used = process.cpuUsage(start);
  return { seconds: (used.user + used.system) / 1e6, result };
}

createInterface({ input: process.stdin }).on("line", (line) => {
  let reply;
  try {
    reply = answer(JSON.parse(line));
  } catch (error) {
    reply = { error: String(error) };
  }
  process.stdout.write(JSON.stringify(reply) + "\n");
});
