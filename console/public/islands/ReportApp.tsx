import type { ReportPublicApp } from '../../../generated/api/types.gen';
import { ABUSE_KINDS } from '../../lib/public/abuse';
import site from '../site.module.css';
import { useSending } from './useSending';

const reportOf = (text: (name: string) => string): ReportPublicApp => ({
  kind: text('kind') as ReportPublicApp['kind'],
  text: text('text'),
  email: text('email') || null,
});

/** Reports the app to this cloud's operators. */
export function ReportApp({ appId }: { appId: string }) {
  const { state, open, submit } = useSending('closed');
  if (state.step === 'closed')
    return (
      <p className={site.scripted}>
        <button type="button" className={`${site.quiet} ${site.small}`} onClick={open}>
          Report this app
        </button>
      </p>
    );
  if (state.step === 'sent')
    return <p role="status">Thank you. The operators of this cloud will review it.</p>;
  return (
    <form
      className={`${site.form} ${site.stacked}`}
      onSubmit={submit(`/explorer/apps/${appId}/reports`, reportOf)}
      aria-label="Report this app"
    >
      <label>
        Problem
        <select name="kind" autoFocus defaultValue="misleading">
          {Object.entries(ABUSE_KINDS).map(([kind, label]) => (
            <option key={kind} value={kind}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <label>
        What you saw, and where
        <textarea name="text" required minLength={10} maxLength={4000} rows={5} />
      </label>
      <label>
        Email address, if you want a reply
        <input type="email" name="email" maxLength={254} autoComplete="email" />
      </label>
      <button type="submit" className={`${site.button} ${site.small}`} aria-disabled={state.step === 'busy'}>
        {state.step === 'busy' ? 'Sending…' : 'Send report'}
      </button>
      {state.step === 'failed' && <p role="alert">{state.reason}</p>}
    </form>
  );
}
