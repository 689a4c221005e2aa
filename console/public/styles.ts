/** The style sheet of all public pages. */
import './base.css';
import './site.module.css';
import './frame.module.css';
import './report.module.css';
import './keys.module.css';
import './card.module.css';
import './hero.module.css';
import './columns.module.css';
import './written.module.css';
import './diff.module.css';
import './rows.module.css';
