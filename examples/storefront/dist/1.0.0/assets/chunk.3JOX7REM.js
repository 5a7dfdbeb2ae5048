var r=new Intl.NumberFormat("en-GB",{style:"currency",currency:"GBP"}),e=n=>r.format(n/100);export{e as a};
