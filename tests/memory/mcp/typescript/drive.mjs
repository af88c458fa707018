// Drives a running server with an official TypeScript client and prints what it found as one line of JSON.
// node drive.mjs v1|v2|v2-newest <address>, with the key in PALIMPSEST_KEY.
import * as v1 from "@modelcontextprotocol/sdk/client/index.js";
import * as v1http from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import * as v2 from "@modelcontextprotocol/client";

const [kind, address] = process.argv.slice(2);
const signed = { requestInit: { headers: { Authorization: `Bearer ${process.env.PALIMPSEST_KEY}` } } };
const who = { name: "test", version: "1" };

function made() {
  if (kind === "v1") return [new v1.Client(who), new v1http.StreamableHTTPClientTransport(new URL(address), signed)];
  const newest = { versionNegotiation: { mode: { pin: "2026-07-28" } } };
  const options = kind === "v2-newest" ? newest : undefined;
  return [new v2.Client(who, options), new v2.StreamableHTTPClientTransport(new URL(address), signed)];
}

const [client, transport] = made();
await client.connect(transport);

// The client holds each answer against the schema that the tool declared, once it has listed the tools.
const tools = (await client.listTools()).tools.map((tool) => tool.name);

async function call(name, args) {
  const result = await client.callTool({ name, arguments: args });
  const told = JSON.parse(result.content[0].text);
  if (result.isError) throw new Error(`${name}: ${result.content[0].text}`);
  return told;
}

async function refused(name, args) {
  const result = await client.callTool({ name, arguments: args });
  return [result.isError === true, JSON.parse(result.content[0].text).code];
}

const first = await call("remember", { content: "staging is deployed by hand", fact_key: "deploy.staging" });
const second = await call("write", { content: "staging is deployed with compose", fact_key: "deploy.staging" });
const found = await call("search", { query: "how is staging deployed?" });
const replaced = await call("supersede", { node_id: first.id, superseded_by: second.id });
const checked = await call("validate_memory", { ids: [first.id, second.id] });
const node = await call("read", { node_id: second.id });
const route = await call("route", { intent: "deploy staging" });
const guessed = await call("memory", { query: "staging" });
const prompt = await client.getPrompt({ name: "brief", arguments: { task: "deploy staging" } });
const resource = await client.readResource({ uri: `memory://record/${second.id}` });
const completion = await client.complete({
  ref: { type: "ref/prompt", name: "brief" },
  argument: { name: "workspace", value: "def" },
});
const forgotten = await call("forget", { memory_id: second.id });
const missing = await call("read", { node_id: second.id });

const numbers = [...Array(50).keys()];
const kept = await Promise.all(numbers.map((n) => call("remember", { content: `parallel ${n}` })));
const read = await Promise.all(kept.map((one) => call("read", { node_id: one.id })));

console.log(
  JSON.stringify({
    tools: tools.length,
    statuses: found.results.map((one) => one.status),
    superseded_by: replaced.superseded_by === second.id,
    stale: checked.stale_ids.length === 1 && checked.stale_ids[0] === first.id,
    node: node.content,
    route: route.knowledge.length > 0,
    guessed: guessed.op,
    prompt: prompt.messages[0].content.text.includes("> staging is deployed with compose"),
    resource: resource.contents[0].text.includes("staging is deployed with compose"),
    completion: completion.completion.values,
    forgotten: forgotten.id === second.id,
    missing,
    parallel: read.filter((one, n) => one.content === `parallel ${n}`).length,
    misspelt: await refused("search", { query: "x", workspce: "y" }),
    refused: await refused("remember", { content: "sum", content_kind: "summary" }),
    unknown: await refused("forget", { memory_id: second.id }),
  }),
);
await client.close();
