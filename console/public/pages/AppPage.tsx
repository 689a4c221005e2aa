import type { PublicAppDetail } from '../../../generated/api/types.gen';
import {
  appFeedPath,
  appPagePath,
  badgePath,
  DOMAIN_FILE,
  versionPath,
  widgetPath,
} from '../../lib/public/site';
import { visibleText } from '../../lib/public/visibleText';
import { Island } from '../islands/Island';
import { CheckDomain } from '../islands/CheckDomain';
import { ReportApp } from '../islands/ReportApp';
import { VerifyApp } from '../islands/VerifyApp';
import { WatchByWebhook } from '../islands/WatchByWebhook';
import { WatchApp } from '../islands/WatchApp';
import { Code, CopiedHash, Day, Hash, Hero, Section, Table, TrustChip } from '../parts';
import { useSite } from '../siteContext';
import site from '../site.module.css';

/** Maximum services, CVMs and versions in a server response, which omits the rest. */
const MAX_LISTED = 100;

export function AppPage({ app, publicUrl }: { app: PublicAppDetail; publicUrl: string }) {
  return (
    <>
      <Hero
        title={app.name}
        lead={`Published by ${app.team_name}. The details here come from this server’s records; verify them below.`}
      >
        <TrustChip trust={app.trust} />
      </Hero>
      <Section title="Verification">
        <Island name="verifyApp" props={{ appId: app.app_id, cvms: app.cvms }}>
          <VerifyApp appId={app.app_id} cvms={app.cvms} />
        </Island>
      </Section>
      <Section title="What runs">
        <Services services={app.services} />
        <Cvms app={app} />
        {app.cvms.length >= MAX_LISTED && (
          <p>Up to {MAX_LISTED} CVMs are listed, running ones first. Only these can be verified here.</p>
        )}
        <p>
          App ID <CopiedHash text={app.app_id} what="App ID" />
          <br />
          {keysText(app.kms)}
        </p>
      </Section>
      <ComposeFile app={app} />
      <History app={app} />
      <Watch appId={app.app_id} />
      <Section
        title="Domain check"
        lead="Enter the domain of a site that says it runs in this app. This server fetches the site’s file and compares both sides."
      >
        <Island name="checkDomain" props={{ appId: app.app_id }}>
          <CheckDomain appId={app.app_id} />
        </Island>
      </Section>
      <Embed appId={app.app_id} publicUrl={publicUrl} />
      <Report appId={app.app_id} />
    </>
  );
}

function Cvms({ app }: { app: PublicAppDetail }) {
  return (
    <Table label="CVMs" isStacked>
      <thead>
        <tr>
          <th scope="col">CVM</th>
          <th scope="col">State</th>
          <th scope="col">OS image</th>
          <th scope="col">Container logs</th>
          <th scope="col">Running since</th>
        </tr>
      </thead>
      <tbody>
        {app.cvms.map((cvm) => (
          <tr key={cvm.vm_uuid}>
            <th scope="row">
              {cvm.name}
              {cvm.trust === 'simulated' && app.trust !== 'simulated' && (
                <>
                  {' '}
                  <TrustChip trust="simulated" />
                </>
              )}
            </th>
            <td data-label="State">{cvm.is_running ? 'Running' : 'Not running'}</td>
            <td data-label="OS image">{cvm.os_image}</td>
            <td data-label="Container logs">{cvm.public_logs ? 'Public' : 'Private'}</td>
            <td data-label="Running since">
              {cvm.is_running && cvm.started_at !== null ? <Day at={cvm.started_at} /> : '—'}
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function ComposeFile({ app }: { app: PublicAppDetail }) {
  const [shown] = app.cvms;
  const compose = visibleText(app.compose_file);
  return (
    <Section
      title="Compose file"
      lead={composeText(app.trust, app.cvms.length > 1 && shown ? ` in ${shown.name}` : '')}
    >
      <p>
        Compose hash <CopiedHash text={app.compose_hash} what="Compose hash" />
      </p>
      <Code text={compose} label="Compose file" canCopy={compose === app.compose_file} />
      {compose !== app.compose_file && (
        <p>
          The file has characters that hide or reorder text. They are shown as � here; the evidence has the
          file as it is.
        </p>
      )}
    </Section>
  );
}

function History({ app }: { app: PublicAppDetail }) {
  return (
    <Section
      title="History"
      lead={
        app.revisions.length < MAX_LISTED
          ? 'Every version of the app, newest first.'
          : `The last ${MAX_LISTED} versions of the app, newest first.`
      }
    >
      <Versions app={app} />
      <OwnerChanges changes={app.owner_changes} />
      <div className={site.prose}>
        <p>
          Members of {app.team_name} who can deploy can change the app at any time, without notice.{' '}
          {contractText(app)}
          Every change produces a new compose hash, which appears here and in the{' '}
          <a href={appFeedPath(app.app_id)}>feed</a>.
        </p>
      </div>
    </Section>
  );
}

function Versions({ app }: { app: PublicAppDetail }) {
  return (
    <Table label="Versions" isStacked>
      <thead>
        <tr>
          <th scope="col">Version</th>
          <th scope="col">Changes</th>
          <th scope="col">Created</th>
          <th scope="col">First ran</th>
          <th scope="col">OS image</th>
          <th scope="col">Compose hash</th>
        </tr>
      </thead>
      <tbody>
        {app.revisions.map((revision) => (
          <tr key={revision.number}>
            <th scope="row" data-label="Version">
              {revision.number}
            </th>
            <td data-label="Changes">
              {revision.changed_from === null ? (
                '—'
              ) : (
                <a href={versionPath(app.app_id, revision.number)}>
                  {`Version ${revision.changed_from} to ${revision.number}`}
                </a>
              )}
            </td>
            <td data-label="Created">
              <Day at={revision.created_at} />
            </td>
            <td data-label="First ran">
              {revision.live_at === null ? 'Never' : <Day at={revision.live_at} />}
            </td>
            <td className={site.word} data-label="OS image">
              {revision.os_image ?? '—'}
            </td>
            <td data-label="Compose hash">
              <Hash text={revision.compose_hash} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

/** The accounts that could allow new versions, and since when. */
function OwnerChanges({ changes }: { changes: PublicAppDetail['owner_changes'] }) {
  if (changes.length === 0) return null;
  return (
    <Table label="Owners of the app’s contract" isStacked>
      <caption>Owners of the contract that decides which versions get the app’s keys</caption>
      <thead>
        <tr>
          <th scope="col">Since</th>
          <th scope="col">Owner</th>
          <th scope="col">Transaction</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ owner, tx_hash, at }) => (
          <tr key={tx_hash + owner}>
            <td data-label="Since">
              <Day at={at} />
            </td>
            <td data-label="Owner">{isNobody(owner) ? 'Nobody' : <Hash text={owner} />}</td>
            <td data-label="Transaction">
              <Hash text={tx_hash} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function Watch({ appId }: { appId: string }) {
  const { has_mail } = useSite();
  return (
    <Section
      title="Watch"
      lead={`Get ${has_mail ? 'an email, or ' : ''}a signed request to your server when the Compose file or OS image changes, or the app is unpublished. Changes within ten minutes are combined. You can stop anytime, which deletes your ${has_mail ? 'address or URL' : 'URL'}.`}
    >
      {has_mail ? (
        <Island name="watchApp" props={{ appId }}>
          <WatchApp appId={appId} />
        </Island>
      ) : (
        <p>
          This server doesn’t send email. Watch by webhook, or follow the{' '}
          <a href={appFeedPath(appId)}>feed</a>.
        </p>
      )}
      <Island name="watchByWebhook" props={{ appId }}>
        <WatchByWebhook appId={appId} />
      </Island>
    </Section>
  );
}

function Report({ appId }: { appId: string }) {
  const { support } = useSite();
  return (
    <Section
      title="Something wrong?"
      lead="Teams publish their apps themselves, and nobody reviews them first. The operators of this cloud can remove one from public lists."
    >
      <noscript>
        <p>
          Reporting here needs JavaScript.{' '}
          {support !== null && (
            <>
              Or <a href={support}>write to the operators</a>, with the app ID.
            </>
          )}
        </p>
      </noscript>
      <Island name="reportApp" props={{ appId }}>
        <ReportApp appId={appId} />
      </Island>
    </Section>
  );
}

/** Snippets that the app's owner, or anyone else, can add to their own pages. */
function Embed({ appId, publicUrl }: { appId: string; publicUrl: string }) {
  const badge = `[![TEE](${publicUrl}${badgePath(appId, 'svg')})](${publicUrl}${appPagePath(appId)})`;
  const frame = `<iframe src="${publicUrl}${widgetPath(appId)}" title="Verification" width="100%" height="480"></iframe>`;
  const file = JSON.stringify({ version: 1, app_id: appId, report: publicUrl + appPagePath(appId) }, null, 2);
  return (
    <Section
      title="On your own page"
      lead="A badge for a README, a frame that verifies in the reader’s browser, and a file that links the app’s own domain to this page."
    >
      <p>
        <img src={badgePath(appId, 'svg')} alt="The app’s badge" height={20} />
      </p>
      <Code text={badge} label="Badge in Markdown" canCopy />
      <Code text={frame} label="Frame in HTML" canCopy />
      <p>
        Serve this from the app as <code>{DOMAIN_FILE}</code>:
      </p>
      <Code text={file} label="File for the app’s domain" canCopy />
      <p>
        The badge is green only while the app runs and its evidence passes without exceptions, and never on a
        simulated host.
      </p>
    </Section>
  );
}

const isNobody = (owner: string): boolean => /^0x0*$/.test(owner);

/** Returns who else must agree to a new version; empty if nobody must. */
function contractText({ kms, owner_changes: [last] }: PublicAppDetail): string {
  if (kms === null || kms.contract_address === null) return '';
  const more =
    last && isNobody(last.owner)
      ? 'its last ownership change left it without an owner who could allow more'
      : 'the contract’s owner can allow more at any time';
  return `Its keys go only to versions that its contract allows, and ${more}. `;
}

function keysText(kms: PublicAppDetail['kms']): string {
  if (kms === null) return 'No key service.';
  return kms.contract_address === null
    ? `Keys from the key service ${kms.slug}.`
    : `Keys from a key service governed by a contract: ${kms.slug} (${kms.type}, contract ${kms.contract_address}).`;
}

/** @param where the CVM that runs this Compose file, if there are several */
const composeText = (trust: PublicAppDetail['trust'], where: string): string =>
  trust === 'simulated'
    ? `As deployed${where}. No hardware measures its compose hash here; the host simulates it.`
    : `As deployed${where}, by this server’s records. The verification above compares its compose hash with the measured one.`;

function Services({ services }: { services: PublicAppDetail['services'] }) {
  if (services === null)
    return <p>The services can’t be listed right now. The Compose file below is complete.</p>;
  if (services.length === 0)
    return <p>The Compose file below has no services, or is too complex to list them.</p>;
  return (
    <>
      <Table label="Services" isStacked>
        <thead>
          <tr>
            <th scope="col">Service</th>
            <th scope="col">Image</th>
            <th scope="col">Pinned</th>
            <th scope="col">Outgoing connections</th>
          </tr>
        </thead>
        <tbody>
          {services.map(({ name, image, has_digest, has_egress }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td data-label="Image">
                {image === null ? 'Built from the Compose file' : <Hash text={image} />}
              </td>
              <td data-label="Pinned">{has_digest ? 'By digest' : 'By tag only'}</td>
              <td data-label="Outgoing connections">{has_egress ? 'To any address' : 'None'}</td>
            </tr>
          ))}
        </tbody>
      </Table>
      {services.length >= MAX_LISTED && (
        <p>Up to {MAX_LISTED} services are listed. The Compose file below has all of them.</p>
      )}
      {services.some(({ has_digest }) => !has_digest) && (
        <p>
          An image named by tag can change without changing the compose hash. Only a digest identifies the
          code.
        </p>
      )}
    </>
  );
}
