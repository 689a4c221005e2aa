/**
 * Import rules, checked by `npm run check`: between top-level folders, between the server's layers, and within the
 * console. server/tools/imports.test.ts shows that each rule catches a violation.
 */

const TEST = '\\.(test|bench)\\.tsx?$|/testing/|^console/e2e/';
/** Loaded on demand by server/http in development. */
const DEV_SERVER = '^server/tools/devServer\\.ts$';
/** Subjects with a tab on CVM pages, which takes the CVM from features/cvms. */
const CVM_TABS = '(attestation|kms|logs|network)';
/** The fake host of tests parses requests with the built-in host's code. */
const DOUBLES = '^server/drivers/vmm/fake(Host|Rules)?\\.ts$';
/** Tests, tools and benchmarks aren't part of any layer. */
const OUTSIDE = `${TEST}|^server/(tools|testing|bench|demo)/`;

/** Forbids imports from files matching `from` to files matching `to`. */
const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });
const only = (name, comment, from, allowed) =>
  rule(
    name,
    comment,
    { path: from, pathNot: OUTSIDE },
    { path: '^(server|console|admin|integrations|generated)/', pathNot: allowed },
  );

/** What each layer may import from the server, in addition to itself. */
const SERVER_LAYERS = {
  domain: [],
  db: ['domain', 'config', 'log', 'root'],
  drivers: ['domain', 'config', 'log', 'root'],
  jobs: ['domain', 'db', 'drivers', 'config', 'log', 'root'],
  operations: ['domain', 'db', 'jobs', 'drivers', 'config', 'log', 'root'],
  // The protocol shared with the templates' MCP programs.
  http: ['mcp/protocol', 'operations', 'domain', 'db', 'jobs', 'drivers', 'config', 'log', 'root'],
  teepod: [],
};

const serverLayers = Object.entries(SERVER_LAYERS).map(([layer, below]) =>
  rule(
    `server-${layer}`,
    `server/${layer} imports only itself${below.length > 0 ? ` and ${below.join(', ')}` : ''} from the server`,
    { path: `^server/${layer}/`, pathNot: `${OUTSIDE}|${DOUBLES}` },
    { path: '^server/', pathNot: `^server/(${[layer, ...below].join('|')})(/|\\.ts$)|${DEV_SERVER}` },
  ),
);

module.exports = {
  forbidden: [
    rule(
      'no-cycles',
      'cycles leave no place to start reading',
      {},
      {
        circular: true,
        viaOnly: { dependencyTypesNot: ['type-only'] },
      },
    ),
    rule('resolvable', 'the import does not resolve', {}, { couldNotResolve: true }),
    rule(
      'no-test-code',
      'shipped code does not import tests or tools, except the dev server on demand',
      { path: '^(server|console|admin|integrations)/', pathNot: `${OUTSIDE}|globalSetup` },
      { path: OUTSIDE, pathNot: DEV_SERVER },
    ),

    only('console', 'console imports itself and generated/api', '^console/', '^(console|generated/api)/'),
    only(
      'admin',
      'admin imports itself, generated, console/ui and console/lib',
      '^admin/',
      '^(admin|generated|console/(ui|lib))/',
    ),
    only(
      'server',
      'server imports itself, generated/api and console/lib',
      '^server/',
      '^(server|generated/api|console/lib)/',
    ),
    only(
      'integrations',
      'integrations import themselves, generated/api and console/lib',
      '^integrations/',
      '^(integrations|generated/api|console/lib)/',
    ),
    rule(
      'integrations-without-packages',
      'the client has no dependencies, and the action bundles only what console/lib needs',
      { path: '^integrations/', pathNot: OUTSIDE },
      { path: '(^|/)node_modules/(?!@types/)' },
    ),
    rule(
      'server-without-react-query',
      'react-query options are for pages',
      { path: '^server/', pathNot: OUTSIDE },
      {
        path: '^generated/api/@tanstack/|(^|/)node_modules/@tanstack/|(^|/)node_modules/(react|react-dom|@mui|@emotion)/',
      },
    ),
    rule(
      'generated',
      'generated code imports itself',
      { path: '^generated/' },
      { path: '^(server|console|admin|integrations)/' },
    ),

    ...serverLayers,
    rule(
      'drivers-by-interface',
      'operations and jobs import a driver only through its index',
      { path: '^server/(operations|jobs)/', pathNot: OUTSIDE },
      { path: '^server/drivers/[^/]+/', pathNot: '^server/drivers/[^/]+/index\\.ts$' },
    ),
    rule(
      'express-in-http',
      'Express lives in server/http; app.ts wires it',
      { path: '^server/', pathNot: `${OUTSIDE}|^server/http/|^server/(app|main)\\.ts$` },
      { path: '(^|/)node_modules/(@types/)?(express|express-serve-static-core|helmet)/' },
    ),
    rule(
      'wiring-on-top',
      'nothing below main, cli, app and services imports them',
      { path: '^server/[^/]+/', pathNot: OUTSIDE },
      { path: '^server/(main|cli|app|services)\\.ts$' },
    ),

    rule(
      'console-ui',
      'ui imports lib but no API, router or screen',
      { path: '^console/ui/', pathNot: TEST },
      {
        path: '^(console|generated)/|(^|/)node_modules/@tanstack/react-(router|query)/',
        pathNot: '^console/(ui|lib)/',
      },
    ),
    rule(
      'mui-in-one-folder',
      'MUI is imported only in ui/mui, so that a page loads it with its first dialog or menu',
      { path: '^(console|admin)/', pathNot: `${TEST}|^console/ui/mui/` },
      { path: '(^|/)node_modules/@mui/' },
    ),
    rule(
      'console-lib',
      'lib is pure: no screens, API calls or React; API types are allowed',
      { path: '^console/lib/', pathNot: TEST },
      {
        path: '^(console|generated)/|(^|/)node_modules/(react|react-dom|@mui|@tanstack|@emotion)/',
        pathNot: '^console/lib/|^generated/api/types\\.gen\\.ts$',
      },
    ),
    rule(
      'console-api',
      'api is thin and below the screens',
      { path: '^console/api/', pathNot: TEST },
      { path: '^console/', pathNot: '^console/(api|lib)/|^console/analytics\\.ts$' },
    ),
    rule(
      'console-features',
      'a feature imports ui, lib, api, shared and itself, but no route or other feature',
      { path: '^console/features/([^/]+)/', pathNot: `${TEST}|^console/features/${CVM_TABS}/` },
      {
        path: '^console/',
        pathNot: '^console/(ui|lib|api|shared)/|^console/(monitoring|analytics)\\.ts$|^console/features/$1/',
      },
    ),
    rule(
      'console-shared',
      'shared imports itself, ui, lib and api',
      { path: '^console/shared/', pathNot: TEST },
      { path: '^console/', pathNot: '^console/(ui|lib|api|shared)/' },
    ),
    rule(
      'console-cvm-tabs',
      'CVM tabs also import features/cvms, attestation and kms',
      { path: `^console/features/${CVM_TABS}/`, pathNot: TEST },
      {
        path: '^console/',
        pathNot:
          '^console/(ui|lib|api|shared)/|^console/(monitoring|analytics)\\.ts$|^console/features/($1|cvms)/|^console/features/(attestation|kms)/',
      },
    ),
    rule(
      'console-attestation',
      'attestation, logs and network do not import each other’s evidence or KMS features',
      { path: '^console/features/(attestation|logs|network)/', pathNot: TEST },
      { path: '^console/features/(attestation|kms)/', pathNot: '^console/features/$1/' },
    ),
    rule(
      'console-frame',
      'shell and storybook import ui, lib, api and themselves',
      { path: '^console/(shell|storybook)/', pathNot: TEST },
      {
        path: '^console/',
        pathNot: '^console/(ui|lib|api)/|^console/(monitoring|analytics)\\.ts$|^console/$1/',
      },
    ),
    rule(
      'console-routes',
      'a route imports no other route',
      { path: '^console/routes/', pathNot: TEST },
      { path: '^console/routes/|^console/(main|router)\\.tsx?$', pathNot: '^console/routes/-' },
    ),
  ],
  options: {
    doNotFollow: { path: '(^|/)node_modules/|^generated/' },
    // The generated route tree imports every route, and the router imports it.
    exclude: { path: '^console/routes\\.gen\\.ts$|^dist/|\\.(css|svg|woff2?)$' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.json', '.d.ts'],
    },
    skipAnalysisNotInRules: true,
  },
};
