/**
 * Who may import whom. One table of areas for the top level, one for the server, one for the console; what is not
 * allowed fails `npm run check`. server/tools/imports.test.ts proves that each rule bites.
 */

const TEST = '\\.(test|bench)\\.tsx?$|/testing/|^console/e2e/';
/** Build and test machinery stands outside of the layers. */
/** Loaded on demand by server/http in development. */
const DEV_SERVER = '^server/tools/devServer\\.ts$';
/** Subjects with a tab of a CVM; they read which CVM it is from features/cvms. */
const CVM_TABS = '(attestation|kms|logs|network)';
/** The double of a host in tests reads requests as the built-in host does. */
const DOUBLES = '^server/drivers/vmm/fake(Host|Rules)?\\.ts$';
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

/** What each layer of the server may import of the server, besides itself. */
const SERVER_LAYERS = {
  domain: [],
  db: ['domain', 'config', 'log', 'root'],
  drivers: ['domain', 'config', 'log', 'root'],
  jobs: ['domain', 'db', 'drivers', 'config', 'log', 'root'],
  operations: ['domain', 'db', 'jobs', 'drivers', 'config', 'log', 'root'],
  // Its protocol, which the programs of templates share.
  http: ['mcp/protocol', 'operations', 'domain', 'db', 'jobs', 'drivers', 'config', 'log', 'root'],
  teepod: [],
};

const serverLayers = Object.entries(SERVER_LAYERS).map(([layer, below]) =>
  rule(
    `server-${layer}`,
    `server/${layer} imports of the server only ${below.join(', ') || 'itself'}`,
    { path: `^server/${layer}/`, pathNot: `${OUTSIDE}|${DOUBLES}` },
    { path: '^server/', pathNot: `^server/(${[layer, ...below].join('|')})(/|\\.ts$)|${DEV_SERVER}` },
  ),
);

module.exports = {
  forbidden: [
    rule(
      'no-cycles',
      'A cycle has no bottom to start reading at',
      {},
      {
        circular: true,
        viaOnly: { dependencyTypesNot: ['type-only'] },
      },
    ),
    rule('resolvable', 'An import that leads nowhere', {}, { couldNotResolve: true }),
    rule(
      'no-test-code',
      'Shipped code does not import tests or tools (the dev server is loaded on demand)',
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
      'integrations run elsewhere: they import themselves, generated/api and console/lib',
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
      'operations and jobs know a driver by its index only',
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
      'main, cli, app and services are imported by nothing below them',
      { path: '^server/[^/]+/', pathNot: OUTSIDE },
      { path: '^server/(main|cli|app|services)\\.ts$' },
    ),

    rule(
      'console-ui',
      'ui knows no API, no router, no screen; what is pure it may use',
      { path: '^console/ui/', pathNot: TEST },
      {
        path: '^(console|generated)/|(^|/)node_modules/@tanstack/react-(router|query)/',
        pathNot: '^console/(ui|lib)/',
      },
    ),
    rule(
      'mui-in-one-folder',
      'MUI stays in ui/mui, wrapped: a page loads it with its first dialog or menu, not from the start',
      { path: '^(console|admin)/', pathNot: `${TEST}|^console/ui/mui/` },
      { path: '(^|/)node_modules/@mui/' },
    ),
    rule(
      'console-lib',
      'lib is pure: no screen, no API calls, no React; the API’s types are fine',
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
      'a feature imports ui, lib, api, shared and itself: neither routes nor another feature',
      { path: '^console/features/([^/]+)/', pathNot: `${TEST}|^console/features/${CVM_TABS}/` },
      {
        path: '^console/',
        pathNot: '^console/(ui|lib|api|shared)/|^console/(monitoring|analytics)\\.ts$|^console/features/$1/',
      },
    ),
    rule(
      'console-shared',
      'what several features show, with its data, is built from ui, lib and api',
      { path: '^console/shared/', pathNot: TEST },
      { path: '^console/', pathNot: '^console/(ui|lib|api|shared)/' },
    ),
    rule(
      'console-cvm-tabs',
      'the tabs of a CVM also import features/cvms, and that of its keys the evidence they are checked by',
      { path: `^console/features/${CVM_TABS}/`, pathNot: TEST },
      {
        path: '^console/',
        pathNot:
          '^console/(ui|lib|api|shared)/|^console/(monitoring|analytics)\\.ts$|^console/features/($1|cvms)/|^console/features/(attestation|kms)/',
      },
    ),
    rule(
      'console-attestation',
      'evidence is checked without the key service',
      { path: '^console/features/(attestation|logs|network)/', pathNot: TEST },
      { path: '^console/features/(attestation|kms)/', pathNot: '^console/features/$1/' },
    ),
    rule(
      'console-frame',
      'the frame of the pages and the previews import ui, lib, api and themselves',
      { path: '^console/(shell|storybook)/', pathNot: TEST },
      {
        path: '^console/',
        pathNot: '^console/(ui|lib|api)/|^console/(monitoring|analytics)\\.ts$|^console/$1/',
      },
    ),
    rule(
      'console-routes',
      'a route is thin: features, ui, lib and api',
      { path: '^console/routes/', pathNot: TEST },
      { path: '^console/routes/|^console/(main|router)\\.tsx?$', pathNot: '^console/routes/-' },
    ),
  ],
  options: {
    doNotFollow: { path: '(^|/)node_modules/|^generated/' },
    // The route tree imports every route and is imported by the router: written by a tool, of no interest here.
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
