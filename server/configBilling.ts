import { z } from 'zod';
import { optional, variable } from './configVariable';

/** Variables about payments; see configVariables.ts. */
export const BILLING_VARIABLES = {
  BILLING_ENFORCEMENT: variable({
    what: 'Whether teams need funds. `on`: starting or enlarging a CVM requires its first hour, and teams in debt are notified, stopped and, at last, lose their disks. `off`: usage is recorded and nothing is refused.',
    default: 'off',
    expected: 'on or off',
    schema: z.enum(['on', 'off']),
  }),
  BANK_ACCOUNT_HOLDER: variable({
    what: 'Who receives bank transfers. Shown to teams that add funds, together with BANK_ACCOUNT.',
    expected: 'a name of up to 200 characters',
    schema: optional(z.string().max(200)),
  }),
  BANK_ACCOUNT: variable({
    what: 'IBAN or account number for bank transfers. An administrator confirms them in the admin area.',
    expected: 'up to 100 characters',
    schema: optional(z.string().max(100)),
  }),
  BANK_NAME: variable({
    what: 'Name, BIC or routing number of that bank.',
    expected: 'up to 200 characters',
    schema: optional(z.string().max(200)),
  }),
};
