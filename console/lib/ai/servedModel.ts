import { LineCounter } from 'yaml';
import { parseYaml, TooDeep } from '../compose/parse';

/** The model that a Compose file serves, from the options of the engines that "Deploy a model" writes. */
export interface ServedModel {
  /** Names that the service's container can have, without the leading slash. */
  containers: readonly string[];
  /** Of the CVM. */
  port: number;
  /** `model` of requests. */
  served_name: string;
  /** Where the weights come from; null if the file doesn't say. */
  source: string | null;
  /** Tokens; null if the file doesn't say. */
  context: number | null;
}

/** vLLM and SGLang, llama.cpp. */
const NAME = ['--served-model-name', '--alias'];
const SOURCE = ['--model', '--model-path', '--hf-repo'];
const CONTEXT = ['--max-model-len', '--context-length', '--ctx-size'];

/** Project of the Compose file in a guest, after the folder it is in, unless the file has a name. */
const PROJECT = 'dstack';

interface Service {
  command?: unknown;
  container_name?: unknown;
  ports?: unknown;
}

/** @returns null if no service has the options of an engine and a port */
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
          : // The local teepod calls it by its service, too.
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
    // It nests too deep or repeats itself too often.
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
