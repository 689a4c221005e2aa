import { optionsFrom, serve } from '../serve';
import { memoryServer } from './memory';

/** Bundled into the Compose file of the template mcp-memory. */
const options = optionsFrom(process.env);
serve(await memoryServer('/data'), options);
