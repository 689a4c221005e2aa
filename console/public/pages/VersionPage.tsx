import { appPagePath, type ChangedLine, type VersionChange } from '../../lib/public/site';
import { Day, Hash, Hero, ScrollRegion, Section, Table, TrustChip } from '../parts';
import diff from '../diff.module.css';
import site from '../site.module.css';

/** The changes in a version of a published app, readable without scripts. */
export function VersionPage({ change }: { change: VersionChange }) {
  const { app_id, app_name, trust, before, after, lines, left } = change;
  return (
    <>
      <Hero
        title={`${app_name}: version ${after.number}`}
        lead={`Changes since version ${before.number}, the previous published version.`}
      >
        <TrustChip trust={trust} />
      </Hero>
      <Section title="What is measured">
        <Table label="Both versions" isStacked>
          <thead>
            <tr>
              <th scope="col">Version</th>
              <th scope="col">Created</th>
              <th scope="col">OS image</th>
              <th scope="col">Compose hash</th>
            </tr>
          </thead>
          <tbody>
            {[after, before].map((version) => (
              <tr key={version.number}>
                <th scope="row" data-label="Version">
                  {version.number}
                </th>
                <td data-label="Created">
                  <Day at={version.created_at} />
                </td>
                <td data-label="OS image">{version.os_image ?? '—'}</td>
                <td data-label="Compose hash">
                  <Hash text={version.compose_hash} />
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      </Section>
      <Section title="Compose file">
        {lines.length === 0 ? (
          <p>
            {before.compose_hash === after.compose_hash
              ? 'The Compose file is unchanged.'
              : 'The Compose file is unchanged. The hash differs because it also covers settings and scripts outside the file.'}
          </p>
        ) : (
          <ScrollRegion className={site.code} label="Changes to the Compose file">
            <pre>
              {lines.map((line, index) => (
                // oxlint-disable-next-line react/no-array-index-key -- the lines never move
                <Line key={index} line={line} />
              ))}
            </pre>
          </ScrollRegion>
        )}
        {left > 0 && <p>{left === 1 ? 'One more line isn’t shown.' : `${left} more lines aren’t shown.`}</p>}
        <p>
          This comes from this server’s records. Only the running version can be verified, on{' '}
          <a href={appPagePath(app_id)}>the app’s page</a>.
        </p>
      </Section>
    </>
  );
}

function Line({ line: { kind, text } }: { line: ChangedLine }) {
  if (kind === 'removed') return <del className={diff.removed}>{`- ${text}\n`}</del>;
  if (kind === 'added') return <ins className={diff.added}>{`+ ${text}\n`}</ins>;
  return kind === 'folded' ? '…\n' : `  ${text}\n`;
}
