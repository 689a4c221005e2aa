import type { ReactElement } from 'react';
import { renderToString } from 'react-dom/server';
import type { Template } from '../../generated/api/types.gen';
import { cutWhole } from '../lib/texts/cutWhole';
import { appFeedPath, appPicturePath, type PageView, type RenderedPage } from '../lib/public/site';
import { ownValue } from '../lib/ownValue';
import { cutText } from '../lib/public/pageText';
import { NO_HOST_YET } from '../lib/texts/noHost';
import { Frame } from './Frame';
import { AboutPage } from './pages/AboutPage';
import { AgentPage } from './pages/AgentPage';
import { AppPage } from './pages/AppPage';
import { BillingPage } from './pages/BillingPage';
import { CasePage, CasesPage } from './pages/CasesPages';
import { ExplorerPage } from './pages/ExplorerPage';
import { GpuPage } from './pages/GpuPage';
import { McpServerPage, McpServersPage } from './pages/McpPages';
import { HomePage } from './pages/HomePage';
import { NoWidgetPage, WidgetPage } from './pages/WidgetPage';
import { VerifyPage } from './pages/VerifyPage';
import { TemplatePage, TemplatesPage } from './pages/TemplatesPages';
import { VersionPage } from './pages/VersionPage';
import { NotFoundPage } from './pages/NotFoundPage';
import { PricingPage } from './pages/PricingPage';
import { WatchPage } from './pages/WatchPage';
import { WrittenPage } from './pages/WrittenPage';
import { SiteContext } from './siteContext';

interface Drawn {
  title: string;
  description: string;
  content: ReactElement;
  is_interactive?: boolean;
  /** Whether other sites embed the page in a frame, so it has no header and footer. */
  is_framable?: boolean;
  /** Whether only visitors with a link can see the page, so search engines must not list it. */
  is_private?: boolean;
  feed?: string;
  picture?: string;
  /** Structured data about the page's subject; by default, about the page. */
  json_ld?: object;
}

function draw({ page, public_url, site: { brand } }: PageView): Drawn {
  switch (page.page) {
    case 'home':
      return {
        title: `${brand} · Confidential VMs for Docker Compose`,
        description:
          'Deploy Docker Compose apps into confidential VMs, with secrets only the enclave can read and proofs anyone can verify.',
        content: <HomePage offers={page.offers} useCases={page.use_cases} />,
        json_ld: {
          '@type': 'SoftwareApplication',
          name: brand,
          applicationCategory: 'DeveloperApplication',
          operatingSystem: 'Linux',
          license: 'https://www.apache.org/licenses/LICENSE-2.0',
        },
      };
    case 'about':
      return {
        title: `About · ${brand}`,
        description:
          'How a confidential cloud keeps your data from its own administrators, and what it doesn’t prove.',
        content: <AboutPage />,
      };
    case 'billing':
      return {
        title: `How billing works · ${brand}`,
        description: 'When the meter runs, how amounts are rounded, and one day computed line by line.',
        content: <BillingPage example={page.example} />,
      };
    case 'pricing':
      return {
        title: `Pricing · ${brand}`,
        description: 'Prices for every size per hour and month, billed per second, with a calculator.',
        content: <PricingPage offers={page.offers} quote={page.quote} ignored={page.ignored} />,
        is_interactive: page.offers.length > 0,
      };
    case 'gpu':
      return {
        title: `Confidential GPUs · ${brand}`,
        description: 'GPUs in confidential mode: what they protect, which are free now, and what they cost.',
        content: <GpuPage offers={page.offers} stock={page.stock} />,
      };
    case 'cases':
      return {
        title: `Use cases · ${brand}`,
        description: 'What confidential VMs are for, each with a ready-to-deploy Compose file.',
        content: <CasesPage useCases={page.use_cases} />,
      };
    case 'case':
      return {
        title: `${page.use_case.title} · ${brand}`,
        description: page.use_case.summary,
        content: <CasePage useCase={page.use_case} others={page.others} offer={page.offer} />,
        json_ld: {
          '@type': 'TechArticle',
          headline: page.use_case.title,
          description: page.use_case.summary,
        },
      };
    case 'agent':
      return {
        title: `Agents with ${page.framework} · ${brand}`,
        description:
          'Run an AI agent in a confidential VM: its keys stay sealed, and anyone can verify its code and character.',
        content: <AgentPage framework={page.framework} offer={page.offer} />,
      };
    case 'templates':
      return {
        title: `Templates · ${brand}`,
        description: 'Databases, AI tools and services that deploy into a confidential VM from a form.',
        content: <TemplatesPage templates={page.templates} />,
      };
    case 'template':
      return {
        title: `${page.template.name} in a confidential VM · Templates`,
        description: page.template.summary,
        content: <TemplatePage template={page.template} offer={page.offer} />,
        json_ld: softwareOf(page.template),
      };
    case 'mcp_servers':
      return {
        title: `MCP hosting · ${brand}`,
        description:
          'MCP servers in confidential VMs: tools for assistants whose data and keys nobody else can read.',
        content: <McpServersPage templates={page.templates} />,
      };
    case 'mcp_server':
      return {
        title: `${page.template.name} in a confidential VM · MCP hosting`,
        description: page.template.summary,
        content: <McpServerPage template={page.template} mcp={page.mcp} offer={page.offer} />,
        json_ld: softwareOf(page.template),
      };
    case 'explorer':
      return {
        title: `Explorer · ${brand}`,
        description: 'Apps that run in confidential VMs, published by their teams and verifiable by anyone.',
        content: <ExplorerPage list={page} />,
      };
    case 'app':
      return {
        title: `${cutWhole(page.app.name, 50)} · Explorer`,
        description: `${page.app.trust === 'simulated' ? 'Simulated, no TEE: w' : 'W'}hat ${cutWhole(page.app.name, 60)} runs, its measured Compose file and history, to verify in your browser.`,
        content: <AppPage app={page.app} publicUrl={public_url} />,
        is_interactive: true,
        feed: appFeedPath(page.app.app_id),
        picture: appPicturePath(page.app.app_id),
        json_ld: {
          '@type': 'SoftwareApplication',
          name: page.app.name,
          ...(page.app.trust === 'simulated' && { description: 'Simulated: no TEE hardware' }),
          author: { '@type': 'Organization', name: page.app.team_name },
          softwareVersion: page.app.compose_hash,
          dateModified: page.app.revisions[0]?.created_at ?? page.app.created_at,
        },
      };
    case 'widget':
      return {
        title: `${cutWhole(page.app.name, 50)} · Verification`,
        description: 'Verification of an app in a confidential VM, in your browser.',
        content: <WidgetPage app={page.app} />,
        is_interactive: true,
        is_framable: true,
      };
    case 'no_widget':
      return {
        title: `Not published · ${brand}`,
        description: 'No published app has this address.',
        content: <NoWidgetPage />,
        is_framable: true,
      };
    case 'version':
      return {
        title: `${cutWhole(page.change.app_name, 40)}, version ${page.change.after.number} · Explorer`,
        description: `What version ${page.change.after.number} of ${cutWhole(page.change.app_name, 80)} changed in its measured Compose file.`,
        content: <VersionPage change={page.change} />,
        feed: appFeedPath(page.change.app_id),
        picture: appPicturePath(page.change.app_id),
      };
    case 'verify':
      return {
        title: `Verify it yourself · ${brand}`,
        description: 'Check an evidence file or a TDX quote in your browser. Nothing is uploaded.',
        content: <VerifyPage />,
        is_interactive: true,
      };
    case 'watch':
      return {
        title: page.watch
          ? `Watch ${cutWhole(page.watch.app_name, 50)} · Explorer`
          : `Invalid link · ${brand}`,
        description: 'Email about changes to a published app.',
        content: <WatchPage watch={page.watch} token={page.token} />,
        is_interactive: page.watch !== null,
        is_private: true,
      };
    case 'written':
      return {
        title: `${page.content.title} · ${brand}`,
        description: page.content.description,
        content: <WrittenPage content={page.content} />,
      };
    case 'not_found':
      return {
        title: `Page not found · ${brand}`,
        description: 'This address doesn’t exist.',
        content: <NotFoundPage />,
      };
  }
}

const softwareOf = ({
  name,
  summary,
  version,
  license,
}: Pick<Template, 'name' | 'summary' | 'version' | 'license'>) => ({
  '@type': 'SoftwareApplication',
  name,
  description: summary,
  softwareVersion: version,
  license,
  operatingSystem: 'Linux',
});

const SIMULATED =
  'This server has no TEE hardware yet. Apps run on a local host whose attestation is simulated: good for trying things out, not for secrets.';
const CLOSED = `${NO_HOST_YET.title} ${NO_HOST_YET.advice}`;

/** Returns notes to show before the page's promises and its deploy link. */
function notesOf({ hosts, signed_in }: PageView): string[] {
  if (hosts === null) return [];
  return [
    ...(hosts.has_hardware ? [] : [SIMULATED]),
    // Members see on their own pages which hosts their team can use.
    ...(hosts.is_open || signed_in ? [] : [CLOSED]),
  ];
}

/** Renders a public page on the server. Its type is `RenderPage`, which the server imports. */
export function renderPage(view: PageView): RenderedPage {
  const drawn = draw(view);
  const { title, content, is_interactive = false, is_framable = false, feed = null } = drawn;
  const { brand, hidden, support, texts } = view.site;
  const text = (view.page.page !== 'not_found' && ownValue(texts, view.path)) || {};
  const description = text.lead === undefined ? drawn.description : cutText(text.lead, 160);
  const is_listed = !is_framable && !drawn.is_private && view.page.page !== 'not_found';
  const json_ld = drawn.json_ld ?? { '@type': 'WebPage', name: title, description };
  return {
    title,
    description,
    body: renderToString(
      <SiteContext
        value={{
          brand,
          hidden,
          support,
          text,
          notes: notesOf(view),
          has_mail: view.has_mail,
          signed_in: view.signed_in,
          can_register: view.can_register,
        }}
      >
        {is_framable ? content : <Frame view={view}>{content}</Frame>}
      </SiteContext>,
    ),
    is_framable,
    is_listed,
    is_interactive,
    feed,
    picture: drawn.picture ?? null,
    json_ld: is_listed ? { '@context': 'https://schema.org', ...json_ld } : null,
  };
}
