import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { mentionsMcp } from './mentionsMcp';

const TEMPLATES = path.join(import.meta.dirname, '../../../server/templates');
const compose = (id: string) => readFileSync(path.join(TEMPLATES, id, 'docker-compose.yml'), 'utf8');

it('finds the MCP servers among the templates, and no others', () => {
  const ids = readdirSync(TEMPLATES);
  const found = ids.filter((id) => mentionsMcp(compose(id)));
  expect(found).toEqual(ids.filter((id) => id.startsWith('mcp-')));
  expect(found.length).toBeGreaterThan(0);
});

it.each([
  ['services:\n  mcp:\n    image: tools:1\n', true],
  ['services:\n  web:\n    image: ghcr.io/acme/weather-mcp:2\n', true],
  ['services:\n  web:\n    image: acme/fastmcp@sha256:00\n', true],
  ['services:\n  web:\n    environment: [ "MCP_KEY" ]\n', true],
  ['services:\n  web:\n    command: serve --path /mcp --port 8080\n', true],
  ['services:\n  web:\n    image: nginx:1\n    environment: [ "TCMP=1" ]\n', false],
  ['services:\n  dhcpmcpd:\n    image: nginx:1\n', false],
  ['', false],
])('reads %j', (text, expected) => expect(mentionsMcp(text)).toBe(expected));
