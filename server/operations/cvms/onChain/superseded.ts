/** Says why a change that was prepared for another state of its CVM can't be committed anymore. */
export const supersededBy = (what: 'revision' | 'secrets'): string =>
  what === 'revision'
    ? 'The CVM has been updated since this change was prepared.'
    : 'Secrets have been updated since this change was prepared, and it would bring back the older ones.';
