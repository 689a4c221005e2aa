import type { ActedApp, PricedCvm, Verb } from './verbs';

// Separate from the verbs' rules, which pages load: the app's start only needs the place for the dialog.

export interface VerbRequest {
  verb: Verb;
  teamSlug: string;
  /** Acts on all CVMs of these apps; alternative to `cvms`. */
  apps?: readonly ActedApp[];
  cvms?: readonly PricedCvm[];
}

type Ask = (request: VerbRequest) => Promise<boolean>;
let host: Ask | undefined;

/** Registers the page's dialog for verbs. @returns a function that unregisters it */
export function hostVerbs(ask: Ask): () => void {
  host = ask;
  return () => {
    if (host === ask) host = undefined;
  };
}

/** Asks for confirmation and performs the verb. Resolves to true if all requests were accepted. */
export const requestVerb = (request: VerbRequest): Promise<boolean> =>
  host?.(request) ?? Promise.resolve(false);
