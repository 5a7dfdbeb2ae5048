// For pages that are only text: the header, nothing else.
import { header } from "./modules/header";

header();
