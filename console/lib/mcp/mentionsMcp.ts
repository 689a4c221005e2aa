const MENTION = /(?<![a-z0-9])(?:fastmcp|mcp|modelcontextprotocol)(?![a-z0-9])/i;

/** Returns whether a Compose file mentions an MCP server: in a path, an image, a service or a variable. */
export const mentionsMcp = (compose: string): boolean => MENTION.test(compose);
