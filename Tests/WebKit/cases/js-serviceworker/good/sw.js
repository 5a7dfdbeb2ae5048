self.onfetch = null;
