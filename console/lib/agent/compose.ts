// Finds and replaces an agent's character in a Compose file.
//
// A service is an agent if its character is in the file, or if its image identifies one:
//   - environment CHARACTER: the character as JSON
//   - environment CHARACTER_DATA: the same in base64, as written by the framework's tool for TEE deployments
//   - a config with inline `content` whose name or target contains "character"
//   - an image with the framework's name in its path (ghcr.io/elizaos/eliza, me/my-eliza)
// A value `${NAME}` is a secret, readable only inside the CVM.

import {
  isAlias,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  parseDocument,
  visit,
  type Document,
  type Node,
  type Pair,
  type Scalar,
} from 'yaml';
import { ownValue } from '../ownValue';

type Place = { kind: 'env'; variable: 'CHARACTER' | 'CHARACTER_DATA' } | { kind: 'config'; name: string };

type CharacterIn =
  | { state: 'readable'; place: Place; json: string }
  /** The character is in the file, but parts come from variables and would be lost by rewriting it. */
  | { state: 'interpolated'; place: Place }
  /** The value comes from the secret of this name. */
  | { state: 'secret'; secret: string }
  /** In the image, or in a file inside it. */
  | { state: 'elsewhere' };

export interface Agent {
  service: string;
  image: string;
  character: CharacterIn;
  /** Names of the service's other variables; `secret` if the value isn't in the file. */
  variables: { name: string; secret: boolean }[];
}

const VARIABLES = ['CHARACTER', 'CHARACTER_DATA'] as const;

/** Returns the agents in a Compose file; none if it can't be parsed. Never throws. */
export function findAgents(compose: string, framework: string): Agent[] {
  const doc = parsed(compose);
  if (!doc) return [];
  const found: Agent[] = [];
  for (const [service, node] of entries(doc, doc.get('services', true))) {
    const image = textOf(doc, child(doc, node, 'image')) ?? '';
    const character = characterOf(doc, node);
    if (character === null && !isImageOf(image, framework)) continue;
    const variables = environment(doc, node)
      .filter(({ name }) => !VARIABLES.some((one) => one === name))
      .map(({ name, value }) => ({ name, secret: value === null || isVariable(value) }));
    found.push({ service, image, character: character ?? { state: 'elsewhere' }, variables });
  }
  return found;
}

/** Returns the file with another character and everything else byte for byte, where possible. */
export function withCharacter(compose: string, { service, character }: Agent, json: string): string {
  const doc = parsed(compose);
  if (!doc) throw new Error('Couldn’t read the Compose file.');
  const place: Place =
    character.state === 'readable' ? character.place : { kind: 'env', variable: 'CHARACTER' };
  const pretty = json.trimEnd();
  const value =
    place.kind === 'env' && place.variable === 'CHARACTER_DATA'
      ? toBase64(minified(pretty))
      : escaped(pretty);
  const spliced = splice(doc, compose, service, place, value);
  if (spliced !== null) return spliced;
  if (place.kind === 'config') doc.setIn([...ownPath(doc, ['configs', place.name]), 'content'], value);
  else setEnvironment(doc, service, place.variable, value);
  return doc.toString({ lineWidth: 0 });
}

/** Minimum size for an agent with the framework's published image. */
export const AGENT_SIZE = { vcpu: 2, memory_mb: 4096 };

/** Images published by the frameworks' projects. */
const IMAGES: Readonly<Record<string, string>> = { eliza: 'ghcr.io/elizaos/eliza:stable' };

/** Returns the image published by the framework's project; undefined if unknown. */
export const agentImage = (framework: string): string | undefined => ownValue(IMAGES, framework);

/** Returns a Compose file that runs an agent with a readable character, readable variables and secrets by name. */
export function agentCompose(agent: {
  service: string;
  image: string;
  json: string;
  variables?: Readonly<Record<string, string>>;
  secrets: readonly string[];
}): string {
  const indented = escaped(agent.json.trimEnd()).replace(/^/gm, ' '.repeat(8));
  const readable = Object.entries(agent.variables ?? {}).map(
    ([name, value]) => `      ${name}: ${JSON.stringify(escaped(value))}\n`,
  );
  return `services:
  ${agent.service}:
    image: ${agent.image}
    # Writes the character to the file the agent reads. Other images may start differently.
    command:
      - sh
      - -c
      - printf '%s' "$$CHARACTER" > /tmp/character.json && exec elizaos start --character /tmp/character.json
    environment:
      CHARACTER: |-
${indented}
      SERVER_PORT: "3000"
${readable.join('')}${agent.secrets.map((name) => `      ${name}: \${${name}}\n`).join('')}    ports:
      - "3000:3000"
    volumes:
      - data:/app/.eliza
    restart: unless-stopped

volumes:
  data:
`;
}

function parsed(compose: string): Document | null {
  try {
    const doc = parseDocument(compose, { merge: true });
    return doc.errors.length > 0 || !isMap(doc.contents) ? null : doc;
  } catch {
    // Nested too deeply for the parser.
    return null;
  }
}

const follow = (doc: Document, node: unknown): unknown => (isAlias(node) ? node.resolve(doc) : node);

type Entry = [name: string, node: unknown];

/**
 * Returns a map's entries, then those it merges with `<<` and doesn't replace.
 * @param seen maps already read: one can merge itself, and reading one again adds nothing
 */
function entries(doc: Document, map: unknown, seen = new Set<unknown>()): Entry[] {
  const node = follow(doc, map);
  if (!isMap(node) || seen.has(node)) return [];
  seen.add(node);
  const found = node.items
    .filter((pair) => !isMerge(pair))
    .map((pair): Entry => [keyOf(pair), follow(doc, pair.value)]);
  for (const { value } of node.items.filter(isMerge)) {
    const merged = follow(doc, value);
    for (const one of isSeq(merged) ? merged.items : [merged])
      for (const entry of entries(doc, one, seen))
        if (!found.some(([name]) => name === entry[0])) found.push(entry);
  }
  return found;
}

const isMerge = ({ key }: Pair): boolean => isScalar(key) && key.source === '<<' && key.type === 'PLAIN';

const keyOf = ({ key }: Pair): string => String(isScalar(key) ? key.value : key);

function child(doc: Document, map: unknown, key: string): unknown {
  return entries(doc, map).find(([name]) => name === key)?.[1];
}

function textOf(doc: Document, node: unknown): string | null {
  const scalar = follow(doc, node);
  return isScalar(scalar) && scalar.value !== null ? String(scalar.value) : null;
}

/** As written; null if only the name is given, so that the value comes from outside. */
function environment(doc: Document, service: unknown): { name: string; value: string | null }[] {
  const node = child(doc, service, 'environment');
  if (isMap(node)) return entries(doc, node).map(([name, value]) => ({ name, value: textOf(doc, value) }));
  if (!isSeq(node)) return [];
  return node.items.flatMap((item) => {
    const line = textOf(doc, item);
    if (line === null) return [];
    const [name = '', value] = splitOnce(line);
    return [{ name, value: value ?? null }];
  });
}

function splitOnce(line: string): [string, string?] {
  const at = line.indexOf('=');
  return at === -1 ? [line] : [line.slice(0, at), line.slice(at + 1)];
}

function characterOf(doc: Document, service: unknown): CharacterIn | null {
  for (const { name, value } of environment(doc, service)) {
    const variable = VARIABLES.find((one) => one === name);
    if (variable === undefined) continue;
    if (value === null) return { state: 'secret', secret: name };
    if (isVariable(value)) return { state: 'secret', secret: value.replace(/^\$\{?(\w+).*$/s, '$1') };
    const place: Place = { kind: 'env', variable };
    if (isInterpolated(value)) return { state: 'interpolated', place };
    const json = variable === 'CHARACTER_DATA' ? fromBase64(value) : unescaped(value);
    return json === null ? { state: 'elsewhere' } : { state: 'readable', place, json };
  }
  return configOf(doc, service);
}

function configOf(doc: Document, service: unknown): CharacterIn | null {
  const uses = child(doc, service, 'configs');
  for (const use of isSeq(uses) ? uses.items : []) {
    const node = follow(doc, use);
    const name = isMap(node) ? textOf(doc, child(doc, node, 'source')) : textOf(doc, node);
    if (name === null) continue;
    const target = isMap(node) ? (textOf(doc, child(doc, node, 'target')) ?? '') : '';
    if (!/character/i.test(`${name} ${target}`)) continue;
    const content = textOf(doc, child(doc, child(doc, doc.get('configs', true), name), 'content'));
    if (content === null) return { state: 'elsewhere' };
    const place: Place = { kind: 'config', name };
    if (isInterpolated(content)) return { state: 'interpolated', place };
    return { state: 'readable', place, json: unescaped(content) };
  }
  return null;
}

/**
 * Whether a path segment contains the framework's name as a word: `elizaos/eliza`, `my-eliza`, not `elizabeth`.
 */
function isImageOf(image: string, framework: string): boolean {
  const name = framework.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const path = image.replace(/@.*$/, '').replace(/:[^/]*$/, '');
  return new RegExp(`(^|[/_.-])${name}(os)?($|[/_.-])`, 'i').test(path);
}

// In Compose files, "$$" is a dollar sign, and "${NAME}" and "$NAME" are variables.
const isVariable = (value: string) => /^\$(\w+|\{\w+(:?[-?+][^}]*)?\})$/s.test(value);
const isInterpolated = (value: string) => /(?:^|[^$])(?:\$\$)*\$(?!\$)/s.test(value);
const unescaped = (value: string) => value.replaceAll('$$', '$');
const escaped = (value: string) => value.replaceAll('$', '$$$$');

const minified = (json: string): string => JSON.stringify(JSON.parse(json));

function fromBase64(value: string): string | null {
  try {
    const bytes = Uint8Array.from(atob(value.trim()), (c) => c.charCodeAt(0));
    return JSON.stringify(JSON.parse(new TextDecoder().decode(bytes)), null, 2);
  } catch {
    return null;
  }
}

const toBase64 = (value: string): string =>
  btoa(Array.from(new TextEncoder().encode(value), (byte) => String.fromCharCode(byte)).join(''));

interface Spot {
  scalar: Scalar & { range: [number, number, number] };
  /** Where the key starts; block text is indented beyond it. */
  column: number;
  flow: boolean;
  /** Text before the value in the same scalar, such as `CHARACTER=` in a list. */
  prefix: string;
}

/** Replaces the old value in the text; returns null if it has no location of its own (an alias, or nothing). */
function splice(doc: Document, text: string, service: string, place: Place, value: string): string | null {
  const spot = spotOf(doc, text, service, place);
  if (!spot) return null;
  const [from, to] = spot.scalar.range;
  const block = !spot.flow && spot.prefix === '' && value.includes('\n');
  const indent = ' '.repeat(spot.column + 2);
  const written = block ? `|-\n${value.replace(/^/gm, indent)}\n` : JSON.stringify(spot.prefix + value);
  // Block text includes the line ending; other text doesn't.
  const wasBlock = /^[|>]/.test(text.slice(from, to));
  const rest = text.slice(to);
  const after = block && !wasBlock ? rest.replace(/^[ \t]*(\r?\n)?/, '') : rest;
  const next = text.slice(0, from) + written + (!block && wasBlock ? '\n' : '') + after;
  return reads(next, service, place, value) ? next : null;
}

/** Returns whether the new value is read back as intended from a file that is still valid. */
function reads(text: string, service: string, place: Place, value: string): boolean {
  const doc = parsed(text);
  if (!doc) return false;
  const read =
    place.kind === 'config'
      ? textOf(doc, child(doc, child(doc, doc.get('configs', true), place.name), 'content'))
      : environment(doc, child(doc, doc.get('services', true), service)).find(
          ({ name }) => name === place.variable,
        )?.value;
  return read === value;
}

function spotOf(doc: Document, text: string, service: string, place: Place): Spot | null {
  const map =
    place.kind === 'config'
      ? doc.getIn(['configs', place.name], true)
      : doc.getIn(['services', service, 'environment'], true);
  const key = place.kind === 'config' ? 'content' : place.variable;
  if (isMap(map)) {
    const pair = map.items.find((item) => keyOf(item) === key);
    const at = (pair?.key as Node | undefined)?.range?.[0];
    return at === undefined ? null : spot(pair?.value, columnOf(text, at), map.flow === true, '');
  }
  if (!isSeq(map)) return null;
  const item = map.items.find((one) => isScalar(one) && String(one.value).startsWith(`${key}=`));
  return spot(item, 0, true, `${key}=`);
}

function spot(node: unknown, column: number, flow: boolean, prefix: string): Spot | null {
  if (!isScalar(node) || !node.range || node.anchor !== undefined || node.tag !== undefined) return null;
  return { scalar: node as Spot['scalar'], column, flow, prefix };
}

const columnOf = (text: string, at: number): number => at - (text.lastIndexOf('\n', at - 1) + 1);

/** Gives a path collections of its own: a copy of what an alias or `<<` brings, or an empty map. */
function ownPath(doc: Document, path: string[]): string[] {
  for (const [i, key] of path.entries()) {
    const at = path.slice(0, i + 1);
    if (isCollection(doc.getIn(at, true))) continue;
    const shared = child(doc, i === 0 ? doc.contents : doc.getIn(path.slice(0, i), true), key);
    const copy = (isCollection(shared) ? shared.clone() : doc.createNode({})) as Node;
    visit(copy, {
      Value(_, node) {
        // The original keeps the name that others refer to.
        delete node.anchor;
      },
    });
    doc.setIn(at, copy);
  }
  return path;
}

function setEnvironment(doc: Document, service: string, variable: string, value: string): void {
  const path = ownPath(doc, ['services', service, 'environment']);
  const node = doc.getIn(path, true);
  if (!isSeq(node)) return doc.setIn([...path, variable], value);
  const at = node.items.findIndex((item) => isScalar(item) && splitOnce(String(item.value))[0] === variable);
  doc.setIn([...path, at === -1 ? node.items.length : at], `${variable}=${value}`);
}
