let host: (() => void) | undefined;

/** Registers what opens the list of keys. @returns a function that unregisters it */
export function hostKeyHelp(open: () => void): () => void {
  host = open;
  return () => {
    if (host === open) host = undefined;
  };
}

/** Opens the list of keys; the command palette offers it when single keys are off. */
export const openKeyHelp = (): void => host?.();
