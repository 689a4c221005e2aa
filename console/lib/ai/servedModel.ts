import { LineCounter } from 'yaml';
import { parseYaml, TooDeep } from '../compose/parse';

/** The model that a Compose file serves, found by the engine options that "Deploy a model" writes. */
export interface ServedModel {
  /** Possible names of the service's container, without the leading slash. */
  containers: readonly string[];
  /** Port of the CVM. */
  port: number;
  /** The `model` value in requests. */
  served_name: string;
  /** Source of the weights; null if the file doesn't name it. */
  source: string | null;
  /** Context length in tokens; null if the file doesn't set it. */
  context: number | null;
}

/** Option of vLLM and SGLang, then of llama.cpp. */
const NAME = ['--served-model-name', '--alias'];
const SOURCE = ['--model', '--model-path', '--hf-repo'];
const CONTEXT = ['--max-model-len', '--context-length', '--ctx-size'];

/** Project name of the Compose file in a guest, derived from its folder, unless the file sets a name. */
const PROJECT = 'dstack';

interface Service {
  command?: unknown;
  container_name?: unknown;
  ports?: unknown;
}

/** @returns null if no service has an engine's options and a port */
export function servedModel(compose: string): ServedModel | null {
  const { project, services } = readFile(compose);
  for (const [service, { command, container_name, ports }] of Object.entries(services)) {
    const words = Array.isArray(command) ? command.map(String) : String(command ?? '').split(/\s+/);
    const value = (names: readonly string[]) => {
      const at = words.findIndex((word) => names.includes(word));
      return at < 0 ? null : (words[at + 1] ?? null);
    };
    const served_name = value(NAME);
    const port = portOf(ports);
    if (served_name === null || port === null) continue;
    const context = Number(value(CONTEXT));
    return {
      containers:
        typeof container_name === 'string'
          ? [container_name]
          : // The local teepod also names it after its service.
            [`${project}-${service}-1`, service],
      port,
      served_name,
      source: value(SOURCE),
      context: Number.isSafeInteger(context) && context > 0 ? context : null,
    };
  }
  return null;
}

function readFile(compose: string): { project: string; services: Record<string, Service> } {
  const nothing = { project: PROJECT, services: {} };
  try {
    const file = parseYaml(compose, { lineCounter: new LineCounter(), merge: true });
    if (file.errors.length > 0) return nothing;
    const { name, services } = (file.toJS({ maxAliasCount: 100 }) ?? {}) as {
      name?: unknown;
      services?: unknown;
    };
    if (typeof services !== 'object' || services === null) return nothing;
    return {
      project: typeof name === 'string' ? name : PROJECT,
      services: Object.fromEntries(
        Object.entries(services).filter(([, service]) => typeof service === 'object' && service !== null),
      ) as Record<string, Service>,
    };
  } catch (error) {
    // The file is nested too deeply or has too many aliases.
    if (error instanceof TooDeep || error instanceof RangeError || error instanceof ReferenceError)
      return nothing;
    throw error;
  }
}

/** The published port of the first mapping. */
function portOf(ports: unknown): number | null {
  const [first] = Array.isArray(ports) ? (ports as unknown[]) : [];
  const text = typeof first === 'number' || typeof first === 'string' ? String(first) : '';
  const port = Number(/^(?:\d+:)?(\d+)$/.exec(text) ? text.split(':')[0] : Number.NaN);
  return port >= 1 && port <= 65_535 ? port : null;
}
