import { cutWhole } from '../texts/cutWhole';
import type { PublishedPort } from '../../../generated/api/types.gen';
import { mentionsMcp } from './mentionsMcp';

/** Placeholder for the key in displayed text: the real one is never part of a page. */
export const KEY_PLACEHOLDER = 'YOUR-KEY';
export const DEFAULT_PATH = '/mcp';
/** The API's format. */
const PATH = /^\/[A-Za-z0-9._~/-]{0,199}$/;
/** The registry's limits. */
const MAX_TITLE = 100;
const MAX_DESCRIPTION = 100;
const SERVER_SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';

/** A port exposed through the gateway. */
export interface McpPort {
  port: number;
  service: string;
  /** The app's URL, without a path. */
  url: string;
}

/** Returns the ports that may have an MCP server, the likeliest first. */
export function mcpPorts(ports: readonly PublishedPort[]): McpPort[] {
  const open = ports.flatMap(({ service, port, reach, endpoints }) => {
    const endpoint = endpoints.find(({ form }) => form === 'http');
    return reach === 'public' && port !== null && endpoint ? [{ port, service, url: endpoint.app }] : [];
  });
  const unique = open.filter(({ port }, index) => open.findIndex((other) => other.port === port) === index);
  return unique.toSorted((a, b) => Number(mentionsMcp(b.service)) - Number(mentionsMcp(a.service)));
}

/** Returns why an MCP server can't be at this path; undefined if it can. */
export const pathFault = (path: string): string | undefined =>
  PATH.test(path)
    ? undefined
    : 'Start with a slash, and use letters, digits and -._~ only, up to 200 characters.';

/** Returns the URL for clients. */
export function mcpUrl(base: string, path: string): string {
  const url = new URL(base);
  // Not resolved against the base URL: //name would be another host.
  url.pathname = pathFault(path) === undefined ? path : DEFAULT_PATH;
  return url.href;
}

/** Returns a name that needs no quoting in a shell or a file. */
export function clientName(name: string): string {
  const safe = name
    .slice(0, 200)
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 63);
  return safe === '' ? 'mcp-server' : safe;
}

interface Installed {
  /** A name from `clientName`. */
  name: string;
  url: string;
}

/** Returns a link that opens Cursor and offers to add the server. */
export function cursorLink({ name, url }: Installed): string {
  const config = JSON.stringify({ url, headers: { Authorization: `Bearer ${KEY_PLACEHOLDER}` } });
  return `cursor://anysphere.cursor-deeplink/mcp/install?name=${encodeURIComponent(name)}&config=${encodeURIComponent(btoa(config))}`;
}

/** Returns a link that opens VS Code, offers to add the server, then prompts for the key. */
export function vsCodeLink({ name, url }: Installed): string {
  const id = `${name}-key`;
  const config = {
    name,
    type: 'http',
    url,
    headers: { Authorization: `Bearer \${input:${id}}` },
    inputs: [{ type: 'promptString', id, description: `Key for ${name}`, password: true }],
  };
  return `vscode:mcp/install?${encodeURIComponent(JSON.stringify(config))}`;
}

interface Described extends Installed {
  title: string | null;
  description: string | null;
  version: string;
}

/** Returns the text of the MCP registry's description file for a server. */
export function serverJson({ name, url, title, description, version }: Described): string {
  const shown = cutWhole((title ?? '').trim(), MAX_TITLE);
  const text = cutWhole((description ?? '').replace(/\s+/g, ' ').trim(), MAX_DESCRIPTION).trim();
  const header = {
    name: 'Authorization',
    description: 'The server’s key',
    isRequired: true,
    isSecret: true,
    value: 'Bearer {key}',
    variables: { key: { description: 'The server’s key', isRequired: true, isSecret: true } },
  };
  const file = {
    $schema: SERVER_SCHEMA,
    name: `${namespaceOf(url)}/${name}`,
    ...(shown === '' ? {} : { title: shown }),
    description: text === '' ? `MCP server ${name}` : text,
    version: concrete(version),
    remotes: [{ type: 'streamable-http', url, headers: [header] }],
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}

/** Returns the reversed host name; the registry requires proof of its ownership. */
const namespaceOf = (url: string): string =>
  new URL(url).hostname
    .split('.')
    .toReversed()
    .join('.')
    .replace(/[^A-Za-z0-9.-]+/g, '-');

/** The registry rejects ranges and words such as “latest”. */
const concrete = (version: string): string =>
  version.length <= 100 && /^\d+(?:\.\d+){0,3}(?:[-+][A-Za-z0-9.+-]+)?$/.test(version) ? version : '0.0.0';
