/** What the Compose files of all MCP servers that check keys share: those of templates and the bridge. */

/** Node.js alone; the digest is that of the tag 24-alpine in May 2026. */
export const NODE_IMAGE =
  'node:24-alpine@sha256:d32cdf619f63fe0471182d08996dd516c6275bb5fd31ae06e55a570bd9e1ad43';

/** Environment of the program that checks keys, which `server/mcp/door.ts` reads. */
export const KEY_ENVIRONMENT = {
  MCP_KEY: '${MCP_KEY}',
  MCP_KEYS: '${MCP_KEYS:-}',
  MCP_ORIGINS: '${MCP_ORIGINS:-}',
  MCP_REQUESTS_PER_MINUTE: '${MCP_REQUESTS_PER_MINUTE:-120}',
} as const;
