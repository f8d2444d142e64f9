// A client that others wrote, for the tests of the MCP server: npm's @modelcontextprotocol/client.
// node mcp_npm_client.cjs NODE_MODULES ERA URL, or NODE_MODULES ERA COMMAND ARGUMENT…; prints what came of it as JSON.
const { createRequire } = require('node:module');
const [folder, era, target, ...rest] = process.argv.slice(2);
const find = createRequire(folder + '/');
const { Client, StreamableHTTPClientTransport } = find('@modelcontextprotocol/client');
const { StdioClientTransport } = find('@modelcontextprotocol/client/stdio');

async function main() {
  const asked = [];
  const client = new Client(
    { name: 'npm', version: '1' },
    { capabilities: { elicitation: {} }, versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: era } } },
  );
  client.setRequestHandler('elicitation/create', async (request) => {
    asked.push(request.params.message);
    return { action: 'accept', content: { answer: 'yes' } };
  });
  const transport = target.startsWith('http')
    ? new StreamableHTTPClientTransport(new URL(target))
    : new StdioClientTransport({ command: target, args: rest, env: process.env });
  await client.connect(transport);
  const tools = (await client.listTools()).tools.map((tool) => tool.name);
  const done = await client.callTool({ name: 'do', arguments: { request: 'Throw the ball away.' } });
  const halt = new AbortController();
  const walking = client.callTool(
    { name: 'do', arguments: { request: 'Walk.' } },
    { signal: halt.signal, onprogress: (told) => { if (/Walk about/.test(told.message)) halt.abort('enough'); } },
  ).then(() => 'went on', () => 'cancelled');
  const walked = await walking;
  const stop = await client.callTool({ name: 'stop', arguments: {} });
  const monologue = (await client.readResource({ uri: 'thinkaloud://monologue' })).contents[0].text;
  await client.close();
  console.log(JSON.stringify({ tools, asked, done: done.structuredContent, walked, stop: stop.structuredContent, monologue }));
}

main().then(() => process.exit(0), (error) => { console.error(error); process.exit(1); });
