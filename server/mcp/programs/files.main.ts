import { optionsFrom, serve } from '../serve';
import { filesServer } from './files';

/** Bundled into the Compose file of the template mcp-files. */
const options = optionsFrom(process.env);
serve(filesServer('/data'), options);
