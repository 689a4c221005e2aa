import { z } from 'zod';
import { normalVatId, vatPrefix } from '../console/lib/billing/vatId';
import { optional, variable, whole } from './configVariable';

/** Payment variables; see configVariables.ts. */
export const BILLING_VARIABLES = {
  BILLING_ENFORCEMENT: variable({
    what: 'Whether teams need funds. `on`: starting or enlarging a CVM requires funds for its first hour, and an AI request for the most it can cost; teams in debt are notified, then stopped, and finally lose their disks. `off`: usage is recorded and nothing is refused.',
    default: 'off',
    expected: 'on or off',
    schema: z.enum(['on', 'off']),
  }),
  BILLING_GRACE_DAYS: variable({
    what: "Days from the start of a debt until the team's CVMs stop. Applies to debts that start afterward.",
    default: '3',
    expected: 'a whole number from 0 to 365',
    schema: whole(0, 365),
  }),
  BILLING_KEEP_DAYS: variable({
    what: 'Days from then until the CVMs are moved to the recycle bin with their disks. A pending payment can postpone this: see BILLING_PENDING_DAYS.',
    default: '30',
    expected: 'a whole number from 1 to 3650',
    schema: whole(1, 3650),
  }),
  BILLING_PENDING_DAYS: variable({
    what: 'Days that a pending payment postpones the deletion, counted from the payment’s start. Only a payment that covers the debt postpones it, once per debt. `0`: never.',
    default: '14',
    expected: 'a whole number from 0 to 90',
    schema: whole(0, 90),
  }),
  BILLING_APPROVAL_LIMIT: variable({
    what: 'Limit in US dollars on what one administrator can give away, such as a credit, a refund, a promotion code or a higher post-paid cap. Anything above it needs a second administrator’s approval. The billing settings in the admin area list everything that counts. Amounts for the same team within 24 hours are added up, together with what any team can use, such as codes. Without it, no approvals are needed.',
    expected: 'an amount from 0 to 1000000000 with up to two decimals',
    schema: optional(
      z
        .string()
        .regex(/^\d{1,9}(\.\d{1,2})?$|^10{9}$/)
        .transform((text) => Math.round(Number(text) * 100) * 10_000),
    ),
  }),
  INVOICE_REVIEW_DAYS: variable({
    what: "Days that a month's draft invoices can be reviewed before they are issued.",
    default: '3',
    expected: 'a whole number from 0 to 60',
    schema: whole(0, 60),
  }),
  INVOICE_DUE_DAYS: variable({
    what: 'Days after an invoice is issued until it is overdue, if the balance doesn’t cover it. Fixed when the invoice is issued.',
    default: '14',
    expected: 'a whole number from 0 to 365',
    schema: whole(0, 365),
  }),
  INVOICE_TAX_RULE: variable({
    what: 'Which invoices include tax. `none`: none. `fixed`: all. `reverse_charge`: all except those to businesses in another EU member state, identified by the VAT number in their billing details; requires INVOICE_SELLER_VAT_ID. The format of VAT numbers is checked, not their registration.',
    default: 'fixed',
    expected: 'none, fixed or reverse_charge',
    schema: z.enum(['none', 'fixed', 'reverse_charge']),
  }),
  INVOICE_SELLER_VAT_ID: variable({
    what: 'Your VAT number, printed on invoices and compared with those of payers.',
    expected: 'the VAT number of an EU member state, such as DE123456789',
    schema: optional(
      z
        .string()
        .transform(normalVatId)
        .refine((vatId) => vatPrefix(vatId) !== null),
    ),
  }),
  INVOICE_TAX_PERCENT: variable({
    what: "Tax rate, in percent, of invoices that include tax under INVOICE_TAX_RULE. The tax is charged to the team's balance when the invoice is issued.",
    default: '0',
    expected: 'a number from 0 to 100 with up to two decimals',
    schema: z
      .string()
      .regex(/^(100(\.0{1,2})?|\d{1,2}(\.\d{1,2})?)$/)
      .transform((text) => Math.round(Number(text) * 100)),
  }),
  INVOICE_SELLER: variable({
    what: 'Your company as printed on invoices: name, address and tax number. `\\n` starts a new line.',
    expected: 'up to 1000 characters',
    schema: optional(z.string().max(1000)),
  }),
  STRIPE_SECRET_KEY: variable({
    what: 'Secret API key of a Stripe account. Teams then pay by card on Stripe’s pages. Requires STRIPE_WEBHOOK_SECRET.',
    expected: 'a key that starts with sk_ or rk_',
    secret: true,
    schema: optional(z.string().regex(/^[sr]k_\w{4,250}$/)),
  }),
  STRIPE_WEBHOOK_SECRET: variable({
    what: 'Signing secret of the webhook endpoint `PUBLIC_URL/webhooks/stripe` at Stripe; separate several with commas while rotating it.',
    expected: 'secrets that start with whsec_',
    secret: true,
    schema: optional(
      z
        .string()
        .regex(/^whsec_\w{4,250}(,\s*whsec_\w{4,250}){0,4}$/)
        .transform((text) => text.split(',').map((one) => one.trim())),
    ),
  }),
  STRIPE_URL: variable({
    what: "Address of Stripe's API, to use a local server instead.",
    default: 'https://api.stripe.com',
    expected: 'an http or https URL without path',
    schema: z.string().regex(/^https?:\/\/[^/?#\s]{1,253}$/),
  }),
  BANK_ACCOUNT_HOLDER: variable({
    what: 'Recipient of bank transfers. Shown to teams that add funds, together with BANK_ACCOUNT.',
    expected: 'a name of up to 200 characters',
    schema: optional(z.string().max(200)),
  }),
  BANK_ACCOUNT: variable({
    what: 'IBAN or account number for bank transfers. An administrator confirms them in the admin area. Without it, teams that can pay by card are not offered transfers.',
    expected: 'up to 100 characters',
    schema: optional(z.string().max(100)),
  }),
  BANK_NAME: variable({
    what: 'Name, BIC or routing number of that bank.',
    expected: 'up to 200 characters',
    schema: optional(z.string().max(200)),
  }),
};
