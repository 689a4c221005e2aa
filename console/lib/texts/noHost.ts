/** What a team reads that no host is open to. */
export const NO_HOST =
  'No host of this server is open to your team. Ask an administrator of this server for access.';

/** The same before a visitor has a team. */
export const NO_HOST_YET = {
  title: 'A new team can’t deploy on this server yet.',
  advice: 'After you register, ask an administrator of this server to open a host to your team.',
};
