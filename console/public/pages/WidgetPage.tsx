import type { PublicAppDetail } from '../../../generated/api/types.gen';
import { appPagePath } from '../../lib/public/site';
import { Island } from '../islands/Island';
import { VerifyWidget } from '../islands/VerifyWidget';
import { TrustChip } from '../parts';
import site from '../site.module.css';

/** Only the verification, for embedding in another site. */
export function WidgetPage({ app }: { app: PublicAppDetail }) {
  return (
    <main id="content" className={site.widget}>
      <h1>
        <a href={appPagePath(app.app_id)} target="_blank" rel="noreferrer">
          {app.name}
        </a>
      </h1>
      <TrustChip trust={app.trust} />
      <Island name="verifyWidget" props={{ appId: app.app_id, cvms: app.cvms }}>
        <VerifyWidget appId={app.app_id} cvms={app.cvms} />
      </Island>
    </main>
  );
}

/** Shown in a frame whose app was withdrawn. The same as for an app that never existed. */
export function NoWidgetPage() {
  return (
    <main id="content" className={site.widget}>
      <h1>Not published</h1>
      <span className={site.chip}>Nothing to verify</span>
      <p>No app is published at this address.</p>
    </main>
  );
}
