import type { Template, TemplateMcp } from '../../../generated/api/types.gen';
import { OWN_SERVER } from '../../lib/apps/templateId';
import { formatHourly, formatMonthly } from '../../lib/billing/money';
import { typeName } from '../../lib/cvms/sizes';
import { mcpSnippets } from '../../lib/mcp/clients';
import {
  mcpServerPath,
  PUBLIC_PATHS,
  templatePath,
  type ListedTemplate,
  type Offer,
} from '../../lib/public/site';
import { Cards, Code, Hero, Section, Table } from '../parts';
import { PageLink } from '../siteContext';
import site from '../site.module.css';
import { deployHref, templateFacts } from './TemplatesPages';

const POINTS = [
  {
    title: 'Tools that keep secrets',
    text: 'What an assistant stores or looks up stays in the enclave: memory and disk are encrypted, and the host’s operator sees neither.',
  },
  {
    title: 'A key of its own',
    text: 'Your browser generates the server’s key, shows it for you to copy, and encrypts it for the enclave. Clients send it as a bearer token.',
  },
  {
    title: 'Current and older clients',
    text: 'The servers support the stateless revision 2026-07-28 and the earlier revisions that start with initialize.',
  },
];

/** MCP servers that can be deployed from a form. */
export function McpServersPage({ templates }: { templates: ListedTemplate[] }) {
  return (
    <>
      <Hero
        title="MCP servers nobody can eavesdrop on"
        lead="The Model Context Protocol gives assistants tools. Host them in a confidential VM, and what your assistant reads and writes stays between you and it."
      >
        <PageLink className={site.quiet} href={PUBLIC_PATHS.templates}>
          All templates
        </PageLink>
      </Hero>
      <Section title="What the enclave adds">
        <Cards items={POINTS} />
      </Section>
      <Section
        title="Servers to deploy"
        lead="Each one deploys from a form. The whole program is in its Compose file."
      >
        {templates.length === 0 ? (
          <p>No MCP servers are available yet.</p>
        ) : (
          <Cards
            items={templates.map((template) => ({
              title: template.name,
              text: template.summary,
              href: mcpServerPath(template.id),
              meta: templateFacts(template),
            }))}
          />
        )}
      </Section>
      <Section title="Your own server">
        <div className={site.prose}>
          <p>
            You can also deploy your own server from an npm package, a PyPI package or a container image. A
            bridge in front of it checks the key and the <code>Origin</code> header, limits requests, and
            serves stdio-only servers over HTTP. The server itself can’t be reached from outside.
          </p>
          <p>
            <a href={`/launch?way=mcp&template=${OWN_SERVER}`}>Deploy your own server</a>
          </p>
        </div>
      </Section>
    </>
  );
}

interface McpServerPageProps {
  template: Template;
  mcp: TemplateMcp;
  offer: Offer | null;
}

export function McpServerPage({ template, mcp, offer }: McpServerPageProps) {
  const { id, name } = template;
  const snippets = mcpSnippets({ name: id, url: `https://YOUR-APP${mcp.path}`, key: 'YOUR-KEY' });
  return (
    <>
      <Hero title={name} lead={template.summary}>
        <a className={site.button} href={deployHref(id)}>
          Deploy {name}
        </a>
        <PageLink className={site.quiet} href={templatePath(id)}>
          Compose file
        </PageLink>
      </Hero>
      <Section title="About">
        <p>{template.description}</p>
        <p>
          {offer === null
            ? 'This cloud doesn’t have a large enough size right now.'
            : `Runs on ${typeName(offer)} for ${formatHourly(offer.rate_micros)}, about ${formatMonthly(offer.rate_micros)} if it never stops.`}
        </p>
      </Section>
      <Section title="Its tools">
        <Table label="Tools">
          <thead>
            <tr>
              <th scope="col">Tool</th>
              <th scope="col">Description</th>
            </tr>
          </thead>
          <tbody>
            {mcp.tools.map((tool) => (
              <tr key={tool.name}>
                <th scope="row">
                  <code>{tool.name}</code>
                </th>
                <td>{tool.text}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      </Section>
      <Section
        title="Connect a client"
        lead={`Copy the key from the form before you deploy. You can’t view it afterward. The CVM’s Network tab then shows the address of port ${mcp.port}.`}
      >
        {snippets.map(({ client, text, code }) => (
          <div key={client} className={site.example}>
            <h3>{client}</h3>
            <p>{text}</p>
            <Code text={code} label={`Configuration of ${client}`} />
          </div>
        ))}
      </Section>
      <Section title="What a visitor can verify">
        <div className={site.prose}>
          <ul>
            {template.verify.map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
        </div>
      </Section>
      <p>
        <PageLink href={PUBLIC_PATHS.mcp}>All MCP servers</PageLink>
      </p>
    </>
  );
}
