use Dancer2;

get '/:n' => sub {
    require Work;
    return Work::answer('/' . route_parameters->get('n')) // send_error('', 404);
};

to_app;
