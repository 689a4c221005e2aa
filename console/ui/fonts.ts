/** Import once per app. Fonts are self-hosted from npm: no request leaves the server's own origin. */
import './fonts.css';
