import type { Template, TemplateCategory } from '../../../generated/api/types.gen';
import { formatHourly, formatMonthly } from '../../lib/billing/money';
import { formatMb, typeName } from '../../lib/cvms/sizes';
import { PUBLIC_PATHS, templatePath, type ListedTemplate, type Offer } from '../../lib/public/site';
import { Cards, Code, Hash, Hero, Section, Table } from '../parts';
import { PageLink } from '../siteContext';
import site from '../site.module.css';

const CATEGORIES: readonly [TemplateCategory, title: string][] = [
  ['ai', 'AI'],
  ['databases', 'Databases'],
  ['mcp', 'MCP servers'],
  ['security', 'Security'],
  ['tools', 'Tools'],
  ['web', 'Web'],
];

/** "From $0.058/h · 1 vCPU, 2 GB · Apache-2.0": a template's price, size and software license. */
export const templateFacts = ({ offer, license, needs }: ListedTemplate): string =>
  [
    offer
      ? `From ${formatHourly(offer.rate_micros)} · ${offer.vcpu} vCPU, ${formatMb(offer.memory_mb)}`
      : 'No size is large enough right now',
    ...(needs.includes('gpu') ? ['GPU'] : []),
    ...(needs.includes('guest_agent') ? ['TEE host'] : []),
    license,
  ].join(' · ');

export function TemplatesPage({ templates }: { templates: ListedTemplate[] }) {
  return (
    <>
      <Hero
        title="Templates"
        lead="Apps that deploy from a form. Each one shows its Compose file, pins its images by digest and says what a visitor can verify."
      />
      {templates.length === 0 && (
        <Section title="None yet">
          <p>This server offers no templates. You can deploy any Compose file without one.</p>
        </Section>
      )}
      {CATEGORIES.map(([category, title]) => {
        const items = templates.filter((one) => one.category === category);
        return (
          items.length > 0 && (
            <Section key={category} title={title}>
              <Cards
                items={items.map((template) => ({
                  title: template.name,
                  text: template.summary,
                  href: templatePath(template.id),
                  meta: templateFacts(template),
                }))}
              />
            </Section>
          )
        );
      })}
    </>
  );
}

/** Visitors without an account return here after registering. */
export const deployHref = (id: string) => `/launch?template=${id}`;

const NEEDS = {
  gpu: 'A host with a GPU.',
  guest_agent: 'Access to the guest agent’s socket.',
};

export function TemplatePage({ template, offer }: { template: Template; offer: Offer | null }) {
  const { id, name, resources, ports, health, needs, license, website } = template;
  return (
    <>
      <Hero title={name} lead={template.summary}>
        <a className={site.button} href={deployHref(id)}>
          Deploy {name}
        </a>
        <PageLink className={site.quiet} href={PUBLIC_PATHS.templates}>
          All templates
        </PageLink>
      </Hero>
      <Section title="About">
        <p>{template.description}</p>
        <p>
          Software license: {license}.{' '}
          {website !== null && (
            <a href={website} rel="noreferrer">
              {name} website
            </a>
          )}
        </p>
      </Section>
      <Section title="Requirements">
        <div className={site.prose}>
          <ul>
            <li>
              {resources.vcpu} vCPU, {formatMb(resources.memory_mb)} of memory and a disk of{' '}
              {resources.disk_gb} GB.
            </li>
            {ports.map(({ port, text }) => (
              <li key={port}>
                Port {port}: {text}.
              </li>
            ))}
            {health !== null && (
              <li>
                Ready when port {health.port} responds at <code>{health.path}</code>.
              </li>
            )}
            {needs.map((one) => (
              <li key={one}>{NEEDS[one]}</li>
            ))}
          </ul>
          <p>
            {offer === null
              ? 'This cloud doesn’t have a large enough size right now.'
              : `Runs on ${typeName(offer)} for ${formatHourly(offer.rate_micros)}, about ${formatMonthly(offer.rate_micros)} if it never stops.`}
          </p>
        </div>
      </Section>
      {template.inputs.length > 0 && <Inputs inputs={template.inputs} />}
      <Section title="Compose file" lead="Deployed as is. You can change it before deploying.">
        <Code text={template.compose_file} label="Compose file" />
        <p>
          SHA-256 of the file <Hash text={template.compose_file_hash} />
        </p>
      </Section>
      <Section title="What a visitor can verify">
        <div className={site.prose}>
          <ul>
            {template.verify.map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
          <p>
            Publish the app to give it a page in the{' '}
            <PageLink href={PUBLIC_PATHS.explorer} isInSentence>
              explorer
            </PageLink>
            , where visitors verify it in their own browser, or share its evidence to be{' '}
            <PageLink href={PUBLIC_PATHS.verify} isInSentence>
              verified without this server
            </PageLink>
            .
          </p>
        </div>
      </Section>
      <Section title="Versions of this template">
        <Table label="Versions">
          <thead>
            <tr>
              <th scope="col">Version</th>
              <th scope="col">Date</th>
              <th scope="col">Change</th>
            </tr>
          </thead>
          <tbody>
            {template.changelog.map(({ version, date, text }) => (
              <tr key={version}>
                <th scope="row">{version}</th>
                <td>{date}</td>
                <td>{text}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      </Section>
    </>
  );
}

function Inputs({ inputs }: { inputs: Template['inputs'] }) {
  return (
    <Section
      title="Inputs"
      lead="Every value is encrypted in your browser to a key that only the enclave has."
    >
      <Table label="Inputs" isStacked>
        <thead>
          <tr>
            <th scope="col">Input</th>
            <th scope="col">Variable</th>
            <th scope="col">Default</th>
          </tr>
        </thead>
        <tbody>
          {inputs.map((input) => (
            <tr key={input.key}>
              <th scope="row">{input.label}</th>
              <td data-label="Variable">
                <Hash text={input.key} />
              </td>
              <td data-label="Default">{defaultOf(input)}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Section>
  );
}

const defaultOf = ({ default: value, generate }: Template['inputs'][number]) =>
  generate === null ? (value ?? '—') : `${generate} random characters`;
