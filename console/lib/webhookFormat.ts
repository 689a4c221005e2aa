/** Returns the format in which a delivery's body was made; the webhook's may have changed since. */
export const formatOf = (payload: object): 'events' | 'slack' | 'discord' =>
  'text' in payload ? 'slack' : 'content' in payload ? 'discord' : 'events';
