#!/bin/bash
# What several scripts use.

# Installs the package of the service, in place of a former one.
install_package() {
	pushd "$install_dir"
	ynh_hide_warnings npm install --ignore-scripts --no-audit --no-fund --prefix "$install_dir" "$1"
	popd
	# The service reads the program and cannot change it.
	chown -R "root:$app" "$install_dir"
	chmod -R u=rwX,g=rX,o= "$install_dir"
}

# Writes the settings, which the service and its commands read.
write_settings() {
	ynh_config_add --template="settings.env" --destination="$install_dir/settings.env"
	chown "root:$app" "$install_dir/settings.env"
	chmod 640 "$install_dir/settings.env"
}

# Runs a command of the service, as its user and with its settings.
catalogue() {
	systemd-run --quiet --wait --pipe --collect --uid="$app" --gid="$app" \
		--property="EnvironmentFile=$install_dir/settings.env" \
		--property="EnvironmentFile=-$install_dir/own-settings.env" \
		--property="UMask=0077" \
		"$nodejs_dir/node" "$install_dir/node_modules/zine-catalogue/dist/main.js" "$@"
}

# Writes what the system needs to know of the service.
configure_system() {
	ynh_config_add_nginx
	ynh_config_add_systemd
	yunohost service add "$app" --description="Zine Catalogue"
}
