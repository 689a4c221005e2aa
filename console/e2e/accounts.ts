import { expect, request, type APIRequestContext, type Page } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import { baseURL, callApi, createAdmin, onDatabase, PASSWORD, untilRunning } from './support';

export { callApi, onDatabase, untilRunning };

/** Helpers for account tests: mail, authenticator app, passkey device and time. */

export async function fillRegistration(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Create account' }).click();
}

let outbox: Promise<APIRequestContext> | undefined;

/** The administrator's view of the outbox of a server without mail. */
async function openOutbox(): Promise<APIRequestContext> {
  const email = await createAdmin();
  const context = await request.newContext({
    baseURL: baseURL(),
    extraHTTPHeaders: { Origin: new URL(baseURL()).origin },
  });
  const signedIn = await context.post('/api/v1/auth/session', { data: { email, password: PASSWORD } });
  expect(signedIn.status()).toBe(201);
  return context;
}

/** Returns the link in the newest mail of this kind to a recipient. */
export async function mailedLink(
  email: string,
  template:
    | 'verify_email'
    | 'reset_password'
    | 'invitation'
    | 'email_change_confirm_old'
    | 'email_change_confirm_new'
    | 'app_watch_confirm',
): Promise<string> {
  const context = await (outbox ??= openOutbox());
  const filter = encodeURIComponent(JSON.stringify({ to: email, template }));
  let link: string | undefined;
  await expect
    .poll(async () => {
      const list = await context.get(`/api/v1/admin/outbox?filter=${filter}&sort=["id","DESC"]&range=[0,0]`);
      const [mail] = (await list.json()) as { id: number }[];
      if (!mail) return undefined;
      const one = await context.get(`/api/v1/admin/outbox/${mail.id}`);
      const { text } = (await one.json()) as { text: string | null };
      link = /\/(?:(?:verify-email|reset-password|invite)\/thk_\w+|explorer\/watch\?token=[\w-]+)/.exec(
        text ?? '',
      )?.[0];
      return link;
    })
    .toBeTruthy();
  return link ?? '';
}

/** Signs out without leaving an open page that would send requests as a visitor. */
export async function forgetSession(page: Page): Promise<void> {
  await page.goto('about:blank');
  await page.context().clearCookies();
}

/** The browser logs error responses on its own. */
export const withoutStatus = (complaints: string[], ...statuses: number[]): string[] =>
  complaints.filter((text) => !statuses.some((status) => text.includes(`status of ${status}`)));

/** Ages the session as if the user had signed in an hour ago. */
export const ageSessions = (email: string): Promise<void> =>
  onDatabase(
    `update sessions set confirmed_at = now() - interval '1 hour' from users
      where users.id = sessions.user_id and users.email = $1`,
    [email],
  );

/** An authenticator app. Each of its codes is used once. */
export class Authenticator {
  private readonly totp: TOTP;
  /** Late in a period, the previous code would be two periods old when it arrives. */
  private ahead = Date.now() % 30_000 > 20_000 ? 0 : -1;

  constructor(secret: string) {
    this.totp = new TOTP({ secret: Secret.fromBase32(secret) });
  }

  /** The previous, current and next codes are valid, so three in a row don't have to wait. */
  next(): string {
    return this.totp.generate({ timestamp: Date.now() + 30_000 * this.ahead++ });
  }
}

/** Sets up an authenticator app for the signed-in user; returns it with the recovery codes. */
export async function addAuthenticator(page: Page): Promise<{ app: Authenticator; codes: string[] }> {
  const { secret } = await callApi<{ secret: string }>(page, 'post', '/account/totp');
  const app = new Authenticator(secret);
  const { codes } = await callApi<{ codes: string[] }>(page, 'post', '/account/totp/confirm', {
    data: { code: app.next() },
  });
  return { app, codes };
}

/** Adds a passkey device that needs no touch: Chromium's virtual authenticator (WebAuthn §11). */
export async function addPasskeyDevice(page: Page) {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const add = async () =>
    (
      await session.send('WebAuthn.addVirtualAuthenticator', {
        options: {
          protocol: 'ctap2',
          transport: 'internal',
          hasResidentKey: true,
          hasUserVerification: true,
          hasPrf: true,
          isUserVerified: true,
          automaticPresenceSimulation: true,
        },
      })
    ).authenticatorId;
  let authenticatorId = await add();
  return {
    credentials: async () => (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
    /** Sets whether a user is present to touch the device. */
    touch: (enabled: boolean) =>
      session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }),
    /** Continues with another device, which has no passkeys yet. */
    async replace(): Promise<void> {
      await session.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId });
      authenticatorId = await add();
    },
  };
}

/** Adds a passkey for the signed-in user on the previously added device. */
export async function addPasskey(page: Page, name: string): Promise<void> {
  await page.evaluate(async (label) => {
    const post = async (path: string, body?: unknown) => {
      const answer = await fetch(`/api/v1${path}`, {
        method: 'POST',
        ...(body === undefined
          ? {}
          : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
      });
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
      return (await answer.json()) as { options: PublicKeyCredentialCreationOptionsJSON };
    };
    const { options } = await post('/account/passkeys/challenge');
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
    // Same options as the page: without them the passkey couldn't unlock a vault.
    publicKey.extensions = { ...publicKey.extensions, prf: {} };
    const made = await navigator.credentials.create({ publicKey });
    if (!(made instanceof PublicKeyCredential)) throw new Error('no passkey was made');
    await post('/account/passkeys', { name: label, credential: made.toJSON() as unknown });
  }, name);
}
