/** Setup instructions for MCP clients, in the forms their documentation uses. */

export interface McpSnippet {
  client: string;
  /** What to do with the snippet. */
  text: string;
  code: string;
}

export interface McpAddress {
  /** Name in the client's list: letters, digits and hyphens. */
  name: string;
  url: string;
  /** The key, or a placeholder. */
  key: string;
}

/** Returns a snippet per client. */
export const mcpSnippets = ({ name, url, key }: McpAddress): McpSnippet[] => {
  const headers = { Authorization: `Bearer ${key}` };
  const json = (value: object) => JSON.stringify(value, null, 2);
  return [
    {
      client: 'Claude Code',
      text: 'Run once in your project:',
      code: `claude mcp add --transport http ${name} ${url} --header "Authorization: Bearer ${key}"`,
    },
    {
      client: 'Claude Desktop',
      text: 'Add to claude_desktop_config.json; it bridges with the npm package mcp-remote:',
      code: json({
        mcpServers: {
          [name]: {
            command: 'npx',
            args: ['-y', 'mcp-remote', url, '--header', `Authorization:\${AUTH}`],
            env: { AUTH: headers.Authorization },
          },
        },
      }),
    },
    {
      client: 'Cursor',
      text: 'Add to .cursor/mcp.json:',
      code: json({ mcpServers: { [name]: { url, headers } } }),
    },
    {
      client: 'VS Code',
      text: 'Add to .vscode/mcp.json; it prompts for the key and stores it:',
      code: json({
        inputs: [{ type: 'promptString', id: `${name}-key`, description: `Key for ${name}`, password: true }],
        servers: {
          [name]: { type: 'http', url, headers: { Authorization: `Bearer \${input:${name}-key}` } },
        },
      }),
    },
  ];
};
